BEGIN TRANSACTION;
CREATE TABLE assignments (
	id INTEGER NOT NULL,
	item INTEGER NOT NULL,
	person INTEGER NOT NULL,
	batch INTEGER,
	state VARCHAR(12) NOT NULL,
	version INTEGER NOT NULL,
	lease_until BIGINT,
	created BIGINT NOT NULL,
	changed BIGINT NOT NULL,
	suggested BOOLEAN NOT NULL,
	sent_json TEXT,
	answer_json TEXT,
	seconds FLOAT,
	draft_json TEXT,
	draft_number INTEGER NOT NULL,
	comment TEXT,
	PRIMARY KEY (id),
	CONSTRAINT nobody_gets_an_item_twice UNIQUE (item, person),
	CONSTRAINT known_assignment_state CHECK (state in ('leased', 'returned', 'submitted', 'skipped', 'expired', 'accepted')),
	FOREIGN KEY(item) REFERENCES items (id),
	FOREIGN KEY(person) REFERENCES people (id),
	FOREIGN KEY(batch) REFERENCES batches (id)
);
INSERT INTO "assignments" VALUES(1,1,1,1,'returned',1,NULL,1800000240000,1800000300000,0,'{"score":5,"note":"as Ann Berg sees it"}','{"score":5,"no_claims":false,"note":"as Ann Berg sees it"}',12.5,'{"score":5,"note":"as Ann Berg sees it"}',0,'Ann Berg, look again');
INSERT INTO "assignments" VALUES(2,2,1,1,'returned',1,NULL,1800000300000,1800000360000,0,'{"score":1,"note":"as Ann Berg sees it"}','{"score":1,"no_claims":false,"note":"as Ann Berg sees it"}',12.5,'{"score":1,"note":"as Ann Berg sees it"}',0,NULL);
INSERT INTO "assignments" VALUES(3,3,1,NULL,'skipped',1,NULL,1800000360000,1800000360000,0,NULL,NULL,NULL,'{"score":3}',1,NULL);
INSERT INTO "assignments" VALUES(4,1,2,3,'submitted',1,NULL,1800000360000,1800000420000,0,'{"score":4,"note":"as Bo sees it"}','{"score":4,"no_claims":false,"note":"as Bo sees it"}',12.5,NULL,0,NULL);
INSERT INTO "assignments" VALUES(5,2,2,3,'submitted',1,NULL,1800000420000,1800000480000,0,'{"score":2,"note":"as Bo sees it"}','{"score":2,"no_claims":false,"note":"as Bo sees it"}',12.5,NULL,0,NULL);
INSERT INTO "assignments" VALUES(6,3,2,4,'leased',0,1800002280000,1800000480000,1800000480000,0,NULL,NULL,NULL,NULL,0,NULL);
CREATE TABLE attempts (
	id INTEGER NOT NULL,
	"key" VARCHAR(120) NOT NULL,
	time BIGINT NOT NULL,
	PRIMARY KEY (id)
);
INSERT INTO "attempts" VALUES(1,'both/84c9e3c16714cf029999ee1751567574cebb4bbd3640b2a8a835c061e606a4d2',1800000480000);
INSERT INTO "attempts" VALUES(2,'name/d22e8a8edaf5434561160404e70ea073ba1518bf66f06392f4ad729a7db176d5',1800000480000);
INSERT INTO "attempts" VALUES(3,'address/127.0.0.1',1800000480000);
CREATE TABLE batches (
	id INTEGER NOT NULL,
	person INTEGER NOT NULL,
	state VARCHAR(12) NOT NULL,
	round INTEGER NOT NULL,
	size INTEGER NOT NULL,
	done INTEGER NOT NULL,
	share_right FLOAT,
	changed BIGINT NOT NULL,
	PRIMARY KEY (id),
	CONSTRAINT known_batch_state CHECK (state in ('open', 'in-review', 'accepted', 'returned')),
	FOREIGN KEY(person) REFERENCES people (id)
);
INSERT INTO "batches" VALUES(1,1,'returned',2,2,0,0.5,1800000480000);
INSERT INTO "batches" VALUES(2,1,'open',1,2,0,NULL,1800000360000);
INSERT INTO "batches" VALUES(3,2,'in-review',1,2,2,NULL,1800000480000);
INSERT INTO "batches" VALUES(4,2,'open',1,2,0,NULL,1800000480000);
CREATE TABLE checks (
	id INTEGER NOT NULL,
	batch INTEGER NOT NULL,
	round INTEGER NOT NULL,
	assignment INTEGER NOT NULL,
	reviewer INTEGER,
	lease_until BIGINT,
	is_right BOOLEAN,
	comment TEXT,
	time BIGINT,
	PRIMARY KEY (id),
	CONSTRAINT a_reviewer_checks_once UNIQUE (assignment, round, reviewer),
	FOREIGN KEY(batch) REFERENCES batches (id),
	FOREIGN KEY(assignment) REFERENCES assignments (id),
	FOREIGN KEY(reviewer) REFERENCES people (id)
);
INSERT INTO "checks" VALUES(1,1,1,1,3,NULL,0,'Ann Berg, look again',1800000480000);
INSERT INTO "checks" VALUES(2,1,1,2,3,NULL,1,'Ann Berg, look again',1800000480000);
INSERT INTO "checks" VALUES(3,3,1,4,3,1800002280000,NULL,NULL,NULL);
INSERT INTO "checks" VALUES(4,3,1,5,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE items (
	id INTEGER NOT NULL,
	name VARCHAR(200) NOT NULL,
	title VARCHAR(200) NOT NULL,
	content_json TEXT NOT NULL,
	hidden_json TEXT NOT NULL,
	gold_json TEXT,
	control BOOLEAN NOT NULL,
	suggestion_json TEXT,
	suggestion_source VARCHAR(200),
	open INTEGER NOT NULL,
	decisions INTEGER NOT NULL,
	PRIMARY KEY (id),
	CONSTRAINT never_given_too_often CHECK (open >= 0),
	UNIQUE (name)
);
INSERT INTO "items" VALUES(1,'p0','Source 0.','{"source":"Source 0.","generated":"Text 0."}','{}',NULL,0,NULL,NULL,0,1);
INSERT INTO "items" VALUES(2,'p1','Source 1.','{"source":"Source 1.","generated":"Text 1."}','{}',NULL,0,NULL,NULL,0,0);
INSERT INTO "items" VALUES(3,'p2','Source 2.','{"source":"Source 2.","generated":"Text 2."}','{}',NULL,0,NULL,NULL,1,0);
CREATE TABLE links (
	id INTEGER NOT NULL,
	token_hash VARCHAR(64) NOT NULL,
	role VARCHAR(12) NOT NULL,
	label VARCHAR(200),
	person INTEGER,
	created BIGINT NOT NULL,
	expires BIGINT NOT NULL,
	used BIGINT,
	used_by INTEGER,
	PRIMARY KEY (id),
	UNIQUE (token_hash),
	FOREIGN KEY(person) REFERENCES people (id),
	FOREIGN KEY(used_by) REFERENCES people (id)
);
INSERT INTO "links" VALUES(1,'8033c0dd6c147ec59de4e645ebff504b3f6424d8ea45ebc8f6c190bb4b3466fc','annotator','for Ann Berg',NULL,1800000000000,1801209600000,1800000000000,1);
INSERT INTO "links" VALUES(2,'e219c4c4e67042401027c7917bc24dc38cc2a049e3f2d79c2206b50bec552838','annotator','for Bo',NULL,1800000060000,1801209660000,1800000060000,2);
INSERT INTO "links" VALUES(3,'433164fe04586e9f8a98a7ffa2a1a39bde5993c374064334716b40fc32a7f236','reviewer','for Rita',NULL,1800000120000,1801209720000,1800000120000,3);
INSERT INTO "links" VALUES(4,'489d7f79cf86ef37f40deefb313c8015124e91864e692c6a43db880e98165d9f','admin','for Ada',NULL,1800000180000,1801209780000,1800000180000,4);
INSERT INTO "links" VALUES(5,'f5499a0b3b97a9d06cac9551ff25a24060e2925c334f59889e751eb5e437ee39','annotator',NULL,1,1800000480000,1801210080000,NULL,NULL);
CREATE TABLE meta (
	"key" VARCHAR(40) NOT NULL,
	value TEXT NOT NULL,
	PRIMARY KEY ("key")
);
INSERT INTO "meta" VALUES('version','1');
INSERT INTO "meta" VALUES('overlap','2');
CREATE TABLE people (
	id INTEGER NOT NULL,
	name VARCHAR(100) NOT NULL,
	name_key VARCHAR(400) NOT NULL,
	role VARCHAR(12) NOT NULL,
	state VARCHAR(16) NOT NULL,
	active BOOLEAN NOT NULL,
	password TEXT NOT NULL,
	participant VARCHAR(200),
	created BIGINT NOT NULL,
	PRIMARY KEY (id),
	CONSTRAINT known_role CHECK (role in ('annotator', 'reviewer', 'admin')),
	CONSTRAINT known_state CHECK (state in ('training', 'qualification', 'working', 'failed')),
	UNIQUE (name_key)
);
INSERT INTO "people" VALUES(1,'Ann Berg','ann berg','annotator','working',1,'scrypt$2$8$3$0MX8BhOkise9oJyj+N+EEA==$LKusHrJoGhdCc/I7SVKixU9K5nsIlBn8HegjIovxFb4=','crowd-0',1800000000000);
INSERT INTO "people" VALUES(2,'Bo','bo','reviewer','working',1,'scrypt$2$8$3$S/bU41OfJUF97NIvDSadvg==$3vmrxnb3Bp1iB0Wh1xDHbcGIZiWrRSZqOYNmlbi9nLo=','crowd-1',1800000060000);
INSERT INTO "people" VALUES(3,'Rita','rita','reviewer','working',1,'scrypt$2$8$3$lH+vYkDpiXbErhCp9+EOtw==$nF4N05GvwzlCXgUIyARKPv2ylHPsK9/FUT5K1gBiq3Y=','crowd-2',1800000120000);
INSERT INTO "people" VALUES(4,'Ada','ada','admin','working',1,'scrypt$2$8$3$BnJ+kfV9H8LrQYJtozETiw==$MSuO+OKKn1tWMUQ/REwOMuCZzyoJ6NMsuZVj5wo1XpY=','crowd-3',1800000180000);
CREATE TABLE records (
	id INTEGER NOT NULL,
	client_id VARCHAR(64) NOT NULL,
	person INTEGER,
	item INTEGER,
	assignment INTEGER,
	kind VARCHAR(20) NOT NULL,
	version INTEGER NOT NULL,
	time BIGINT NOT NULL,
	guidelines VARCHAR(16) NOT NULL,
	body_json TEXT NOT NULL,
	PRIMARY KEY (id),
	CONSTRAINT nothing_happens_twice UNIQUE (person, client_id),
	FOREIGN KEY(person) REFERENCES people (id),
	FOREIGN KEY(item) REFERENCES items (id),
	FOREIGN KEY(assignment) REFERENCES assignments (id)
);
INSERT INTO "records" VALUES(1,'73d75ecd67474e118b0a2a6e92fae5bd',NULL,NULL,NULL,'import',0,1800000000000,'6e340b9cffb3','{"new":3,"known":0}');
INSERT INTO "records" VALUES(2,'551c391025f14638b6b81d358ca441bf',NULL,NULL,NULL,'link',0,1800000000000,'6e340b9cffb3','{"link":1,"role":"annotator","for":null}');
INSERT INTO "records" VALUES(3,'f56d30a695a541fe85cc8d308042a2b8',1,NULL,NULL,'joined',0,1800000000000,'6e340b9cffb3','{"role":"annotator","link":1}');
INSERT INTO "records" VALUES(4,'f8f1580a4616445489e374a6dd206f0b',NULL,NULL,NULL,'link',0,1800000060000,'6e340b9cffb3','{"link":2,"role":"annotator","for":null}');
INSERT INTO "records" VALUES(5,'f7dbfee1630d4b148a09e71966bff38a',2,NULL,NULL,'joined',0,1800000060000,'6e340b9cffb3','{"role":"annotator","link":2}');
INSERT INTO "records" VALUES(6,'6f69aa1cca994400a3edfcd209f9e551',NULL,NULL,NULL,'link',0,1800000120000,'6e340b9cffb3','{"link":3,"role":"reviewer","for":null}');
INSERT INTO "records" VALUES(7,'013aed4afc794eb98daf09355c4bbc10',3,NULL,NULL,'joined',0,1800000120000,'6e340b9cffb3','{"role":"reviewer","link":3}');
INSERT INTO "records" VALUES(8,'e5417e05795c48bcaa7445b57c202535',NULL,NULL,NULL,'link',0,1800000180000,'6e340b9cffb3','{"link":4,"role":"admin","for":null}');
INSERT INTO "records" VALUES(9,'c90c2c071e794a2eb72cd28b91191157',4,NULL,NULL,'joined',0,1800000180000,'6e340b9cffb3','{"role":"admin","link":4}');
INSERT INTO "records" VALUES(10,'1-answer-0',1,1,1,'answer',1,1800000300000,'6e340b9cffb3','{"answer":{"score":5,"no_claims":false,"note":"as Ann Berg sees it"},"sent":{"score":5,"note":"as Ann Berg sees it"},"seconds":12.5,"suggested":false,"task":"accuracy","task_version":1}');
INSERT INTO "records" VALUES(11,'1-answer-1',1,2,2,'answer',1,1800000360000,'6e340b9cffb3','{"answer":{"score":1,"no_claims":false,"note":"as Ann Berg sees it"},"sent":{"score":1,"note":"as Ann Berg sees it"},"seconds":12.5,"suggested":false,"task":"accuracy","task_version":1}');
INSERT INTO "records" VALUES(12,'ann-skips-this',1,3,3,'skip',1,1800000360000,'6e340b9cffb3','{"reason":"Ann Berg does not understand it"}');
INSERT INTO "records" VALUES(13,'2-answer-0',2,1,4,'answer',1,1800000420000,'6e340b9cffb3','{"answer":{"score":4,"no_claims":false,"note":"as Bo sees it"},"sent":{"score":4,"note":"as Bo sees it"},"seconds":12.5,"suggested":false,"task":"accuracy","task_version":1}');
INSERT INTO "records" VALUES(14,'2-answer-1',2,2,5,'answer',1,1800000480000,'6e340b9cffb3','{"answer":{"score":2,"no_claims":false,"note":"as Bo sees it"},"sent":{"score":2,"note":"as Bo sees it"},"seconds":12.5,"suggested":false,"task":"accuracy","task_version":1}');
INSERT INTO "records" VALUES(15,'review-0',3,1,1,'review',1,1800000480000,'6e340b9cffb3','{"batch":1,"round":1,"right":false,"comment":"Ann Berg, look again","answer":null}');
INSERT INTO "records" VALUES(16,'review-1',3,2,2,'review',1,1800000480000,'6e340b9cffb3','{"batch":1,"round":1,"right":true,"comment":"Ann Berg, look again","answer":null}');
INSERT INTO "records" VALUES(17,'b2d932c43f474476987db11f0331dc01',1,NULL,NULL,'batch',0,1800000480000,'6e340b9cffb3','{"batch":1,"round":1,"right":0.5,"accepted":false,"sample":2}');
INSERT INTO "records" VALUES(18,'decision-1',3,1,NULL,'adjudication',1,1800000480000,'6e340b9cffb3','{"answer":{"score":4,"no_claims":false,"note":""},"comment":"Ann Berg was too kind"}');
INSERT INTO "records" VALUES(19,'cda297f803f04de09982834d3e9a4e0b',4,NULL,NULL,'person',0,1800000480000,'6e340b9cffb3','{"of":2,"role":"reviewer"}');
INSERT INTO "records" VALUES(20,'9e6d2a1d50ee4952a7f3a0036a8b591f',4,NULL,NULL,'link',0,1800000480000,'6e340b9cffb3','{"link":5,"role":"annotator","for":1}');
CREATE TABLE sessions (
	token_hash VARCHAR(64) NOT NULL,
	person INTEGER NOT NULL,
	csrf VARCHAR(64) NOT NULL,
	created BIGINT NOT NULL,
	expires BIGINT NOT NULL,
	PRIMARY KEY (token_hash),
	FOREIGN KEY(person) REFERENCES people (id)
);
INSERT INTO "sessions" VALUES('7e0014a9403e5db91c6ca7561f067002b9f4d57572a4cc306f91bc6786517fe0',1,'d50qEoSkoXDDTg2Ba1Y2DGvlDa-8BfCtigW8TxQURIM',1800000000000,1800604800000);
INSERT INTO "sessions" VALUES('e9e8faf8d9b123a15c08b9d5d182600a015e09c39276b4b37de912441a12e8ed',3,'tmKRcn7Tmd3RAZmT5WnLGYNrcq0ASHBYR-5Zuc06vHs',1800000120000,1800604920000);
INSERT INTO "sessions" VALUES('d9cc3c3d8df081839a93a473f60d5069c85d88d5fda8a06889640e0d26faf3d2',4,'GQzSBerKSPQ_8gA3K_moHRvOVTDL5J8VMv66inwvkaA',1800000180000,1800604980000);
CREATE INDEX attempts_of_a_key ON attempts ("key", time);
CREATE INDEX items_open ON items (control, id) WHERE open > 0;
CREATE INDEX ix_sessions_person ON sessions (person);
CREATE INDEX batches_by_state ON batches (state);
CREATE INDEX batches_of_a_person ON batches (person, state);
CREATE INDEX ix_assignments_batch ON assignments (batch);
CREATE INDEX assignments_leased ON assignments (lease_until) WHERE state = 'leased';
CREATE INDEX assignments_of_a_person ON assignments (person, state, id);
CREATE INDEX checks_waiting ON checks (id) WHERE is_right is null;
CREATE INDEX checks_of_a_reviewer ON checks (reviewer, is_right);
CREATE INDEX checks_of_a_batch ON checks (batch, round);
CREATE INDEX records_of_a_kind ON records (kind, person);
CREATE INDEX records_of_an_assignment ON records (assignment);
CREATE INDEX records_of_an_item ON records (item);
CREATE TRIGGER records_keep_update before update on records begin select raise(abort, 'records are never changed'); end;
CREATE TRIGGER records_keep_delete before delete on records begin select raise(abort, 'records are never deleted'); end;
COMMIT;
