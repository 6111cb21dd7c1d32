CREATE FUNCTION public.records_are_kept() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ begin raise exception 'records are never changed or deleted'; end $$;
CREATE TABLE public.assignments (
    id bigint NOT NULL,
    item bigint NOT NULL,
    person bigint NOT NULL,
    batch bigint,
    state character varying(12) NOT NULL,
    version integer NOT NULL,
    lease_until bigint,
    created bigint NOT NULL,
    changed bigint NOT NULL,
    suggested boolean NOT NULL,
    sent_json text,
    answer_json text,
    seconds double precision,
    draft_json text,
    draft_number integer NOT NULL,
    comment text,
    CONSTRAINT known_assignment_state CHECK (((state)::text = ANY ((ARRAY['leased'::character varying, 'returned'::character varying, 'submitted'::character varying, 'skipped'::character varying, 'expired'::character varying, 'accepted'::character varying])::text[])))
);
CREATE SEQUENCE public.assignments_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.assignments_id_seq OWNED BY public.assignments.id;
CREATE TABLE public.attempts (
    id bigint NOT NULL,
    key character varying(120) NOT NULL,
    "time" bigint NOT NULL
);
CREATE SEQUENCE public.attempts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.attempts_id_seq OWNED BY public.attempts.id;
CREATE TABLE public.batches (
    id bigint NOT NULL,
    person bigint NOT NULL,
    state character varying(12) NOT NULL,
    round integer NOT NULL,
    size integer NOT NULL,
    done integer NOT NULL,
    share_right double precision,
    changed bigint NOT NULL,
    CONSTRAINT known_batch_state CHECK (((state)::text = ANY ((ARRAY['open'::character varying, 'in-review'::character varying, 'accepted'::character varying, 'returned'::character varying])::text[])))
);
CREATE SEQUENCE public.batches_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.batches_id_seq OWNED BY public.batches.id;
CREATE TABLE public.checks (
    id bigint NOT NULL,
    batch bigint NOT NULL,
    round integer NOT NULL,
    assignment bigint NOT NULL,
    reviewer bigint,
    lease_until bigint,
    is_right boolean,
    comment text,
    "time" bigint
);
CREATE SEQUENCE public.checks_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.checks_id_seq OWNED BY public.checks.id;
CREATE TABLE public.items (
    id bigint NOT NULL,
    name character varying(200) NOT NULL,
    title character varying(200) NOT NULL,
    content_json text NOT NULL,
    hidden_json text NOT NULL,
    gold_json text,
    control boolean NOT NULL,
    suggestion_json text,
    suggestion_source character varying(200),
    open integer NOT NULL,
    decisions integer NOT NULL,
    CONSTRAINT never_given_too_often CHECK ((open >= 0))
);
CREATE SEQUENCE public.items_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.items_id_seq OWNED BY public.items.id;
CREATE TABLE public.links (
    id bigint NOT NULL,
    token_hash character varying(64) NOT NULL,
    role character varying(12) NOT NULL,
    label character varying(200),
    person bigint,
    created bigint NOT NULL,
    expires bigint NOT NULL,
    used bigint,
    used_by bigint
);
CREATE SEQUENCE public.links_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.links_id_seq OWNED BY public.links.id;
CREATE TABLE public.meta (
    key character varying(40) NOT NULL,
    value text NOT NULL
);
CREATE TABLE public.people (
    id bigint NOT NULL,
    name character varying(100) NOT NULL,
    name_key character varying(400) NOT NULL,
    role character varying(12) NOT NULL,
    state character varying(16) NOT NULL,
    active boolean NOT NULL,
    password text NOT NULL,
    participant character varying(200),
    created bigint NOT NULL,
    CONSTRAINT known_role CHECK (((role)::text = ANY ((ARRAY['annotator'::character varying, 'reviewer'::character varying, 'admin'::character varying])::text[]))),
    CONSTRAINT known_state CHECK (((state)::text = ANY ((ARRAY['training'::character varying, 'qualification'::character varying, 'working'::character varying, 'failed'::character varying])::text[])))
);
CREATE SEQUENCE public.people_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.people_id_seq OWNED BY public.people.id;
CREATE TABLE public.records (
    id bigint NOT NULL,
    client_id character varying(64) NOT NULL,
    person bigint,
    item bigint,
    assignment bigint,
    kind character varying(20) NOT NULL,
    version integer NOT NULL,
    "time" bigint NOT NULL,
    guidelines character varying(16) NOT NULL,
    body_json text NOT NULL
);
CREATE SEQUENCE public.records_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.records_id_seq OWNED BY public.records.id;
CREATE TABLE public.sessions (
    token_hash character varying(64) NOT NULL,
    person bigint NOT NULL,
    csrf character varying(64) NOT NULL,
    created bigint NOT NULL,
    expires bigint NOT NULL
);
ALTER TABLE ONLY public.assignments ALTER COLUMN id SET DEFAULT nextval('public.assignments_id_seq'::regclass);
ALTER TABLE ONLY public.attempts ALTER COLUMN id SET DEFAULT nextval('public.attempts_id_seq'::regclass);
ALTER TABLE ONLY public.batches ALTER COLUMN id SET DEFAULT nextval('public.batches_id_seq'::regclass);
ALTER TABLE ONLY public.checks ALTER COLUMN id SET DEFAULT nextval('public.checks_id_seq'::regclass);
ALTER TABLE ONLY public.items ALTER COLUMN id SET DEFAULT nextval('public.items_id_seq'::regclass);
ALTER TABLE ONLY public.links ALTER COLUMN id SET DEFAULT nextval('public.links_id_seq'::regclass);
ALTER TABLE ONLY public.people ALTER COLUMN id SET DEFAULT nextval('public.people_id_seq'::regclass);
ALTER TABLE ONLY public.records ALTER COLUMN id SET DEFAULT nextval('public.records_id_seq'::regclass);
INSERT INTO public.assignments VALUES (3, 3, 1, NULL, 'skipped', 1, NULL, 1800000360000, 1800000360000, false, NULL, NULL, NULL, '{"score":3}', 1, NULL);
INSERT INTO public.assignments VALUES (4, 1, 2, 3, 'submitted', 1, NULL, 1800000360000, 1800000420000, false, '{"score":4,"note":"as Bo sees it"}', '{"score":4,"no_claims":false,"note":"as Bo sees it"}', 12.5, NULL, 0, NULL);
INSERT INTO public.assignments VALUES (5, 2, 2, 3, 'submitted', 1, NULL, 1800000420000, 1800000480000, false, '{"score":2,"note":"as Bo sees it"}', '{"score":2,"no_claims":false,"note":"as Bo sees it"}', 12.5, NULL, 0, NULL);
INSERT INTO public.assignments VALUES (6, 3, 2, 4, 'leased', 0, 1800002280000, 1800000480000, 1800000480000, false, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.assignments VALUES (2, 2, 1, 1, 'returned', 1, NULL, 1800000300000, 1800000360000, false, '{"score":1,"note":"as Ann Berg sees it"}', '{"score":1,"no_claims":false,"note":"as Ann Berg sees it"}', 12.5, '{"score":1,"note":"as Ann Berg sees it"}', 0, NULL);
INSERT INTO public.assignments VALUES (1, 1, 1, 1, 'returned', 1, NULL, 1800000240000, 1800000300000, false, '{"score":5,"note":"as Ann Berg sees it"}', '{"score":5,"no_claims":false,"note":"as Ann Berg sees it"}', 12.5, '{"score":5,"note":"as Ann Berg sees it"}', 0, 'Ann Berg, look again');
INSERT INTO public.attempts VALUES (1, 'both/84c9e3c16714cf029999ee1751567574cebb4bbd3640b2a8a835c061e606a4d2', 1800000480000);
INSERT INTO public.attempts VALUES (2, 'name/d22e8a8edaf5434561160404e70ea073ba1518bf66f06392f4ad729a7db176d5', 1800000480000);
INSERT INTO public.attempts VALUES (3, 'address/127.0.0.1', 1800000480000);
INSERT INTO public.batches VALUES (2, 1, 'open', 1, 2, 0, NULL, 1800000360000);
INSERT INTO public.batches VALUES (3, 2, 'in-review', 1, 2, 2, NULL, 1800000480000);
INSERT INTO public.batches VALUES (4, 2, 'open', 1, 2, 0, NULL, 1800000480000);
INSERT INTO public.batches VALUES (1, 1, 'returned', 2, 2, 0, 0.5, 1800000480000);
INSERT INTO public.checks VALUES (4, 3, 1, 5, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.checks VALUES (1, 1, 1, 1, 3, NULL, false, 'Ann Berg, look again', 1800000480000);
INSERT INTO public.checks VALUES (2, 1, 1, 2, 3, NULL, true, 'Ann Berg, look again', 1800000480000);
INSERT INTO public.checks VALUES (3, 3, 1, 4, 3, 1800002280000, NULL, NULL, NULL);
INSERT INTO public.items VALUES (2, 'p1', 'Source 1.', '{"source":"Source 1.","generated":"Text 1."}', '{}', NULL, false, NULL, NULL, 0, 0);
INSERT INTO public.items VALUES (3, 'p2', 'Source 2.', '{"source":"Source 2.","generated":"Text 2."}', '{}', NULL, false, NULL, NULL, 1, 0);
INSERT INTO public.items VALUES (1, 'p0', 'Source 0.', '{"source":"Source 0.","generated":"Text 0."}', '{}', NULL, false, NULL, NULL, 0, 1);
INSERT INTO public.links VALUES (1, 'cd2abdaaa9f7457dca82f5c8cf57c55066a99223d4ef2ad2742b85b8ca1072e9', 'annotator', 'for Ann Berg', NULL, 1800000000000, 1801209600000, 1800000000000, 1);
INSERT INTO public.links VALUES (2, '608bdaff8fbe0560c6be643fd8628399d99a52d92d5d49e3e34e833222067c98', 'annotator', 'for Bo', NULL, 1800000060000, 1801209660000, 1800000060000, 2);
INSERT INTO public.links VALUES (3, 'b7a685c8aa77d4bc891e814f7215f19687c8e80bd842ac09e2216be6b34960c9', 'reviewer', 'for Rita', NULL, 1800000120000, 1801209720000, 1800000120000, 3);
INSERT INTO public.links VALUES (4, '1a21c17eed19c1d867767b9f7c7d545914709e183de9c8c890e76557a385fd23', 'admin', 'for Ada', NULL, 1800000180000, 1801209780000, 1800000180000, 4);
INSERT INTO public.links VALUES (5, '3a9c0dbb62d806da04c8c29710d1f1d070e1acc65c4071315a50d2ebc7ca7dfa', 'annotator', NULL, 1, 1800000480000, 1801210080000, NULL, NULL);
INSERT INTO public.meta VALUES ('version', '1');
INSERT INTO public.meta VALUES ('overlap', '2');
INSERT INTO public.people VALUES (1, 'Ann Berg', 'ann berg', 'annotator', 'working', true, 'scrypt$2$8$3$R3sqBgz3H7yoQWFMa1oelA==$VhY4r9Si8Vfpz9Q8en5Yn/w6pcuBPiNOdhbYzYdhTzA=', 'crowd-0', 1800000000000);
INSERT INTO public.people VALUES (3, 'Rita', 'rita', 'reviewer', 'working', true, 'scrypt$2$8$3$LXEvMfdugYVPKx6VhspG0A==$e9bAa9AQZ/+DRZohA2AEeK/kGWUPTvcPw6Ubo9xwZFU=', 'crowd-2', 1800000120000);
INSERT INTO public.people VALUES (4, 'Ada', 'ada', 'admin', 'working', true, 'scrypt$2$8$3$rIrgM998kYK18yfLTJdQKg==$S9Je0JyPyyyBsuSYZ6CaM3WzNtNgLef9HLTenDgD1Y4=', 'crowd-3', 1800000180000);
INSERT INTO public.people VALUES (2, 'Bo', 'bo', 'reviewer', 'working', true, 'scrypt$2$8$3$KAg/2yvi/0fCAiI0jzfhfA==$V+/MxexY3HRBEoo4JHT/MuwsWDyDY428rLl7S7KAxJE=', 'crowd-1', 1800000060000);
INSERT INTO public.records VALUES (1, '0e87d67b7c514e968dd59e59e4459213', NULL, NULL, NULL, 'import', 0, 1800000000000, '6e340b9cffb3', '{"new":3,"known":0}');
INSERT INTO public.records VALUES (2, 'c627e40692864e6c89b933059c90257b', NULL, NULL, NULL, 'link', 0, 1800000000000, '6e340b9cffb3', '{"link":1,"role":"annotator","for":null}');
INSERT INTO public.records VALUES (3, 'b519db6956eb4764a91165c34c4d15a1', 1, NULL, NULL, 'joined', 0, 1800000000000, '6e340b9cffb3', '{"role":"annotator","link":1}');
INSERT INTO public.records VALUES (4, 'bafff353030a42eda6f94ae14563eef2', NULL, NULL, NULL, 'link', 0, 1800000060000, '6e340b9cffb3', '{"link":2,"role":"annotator","for":null}');
INSERT INTO public.records VALUES (5, '91c87cd2a5c54c46bd7239c9008f59a6', 2, NULL, NULL, 'joined', 0, 1800000060000, '6e340b9cffb3', '{"role":"annotator","link":2}');
INSERT INTO public.records VALUES (6, '09b3bf9417094ec5a48a188a90891ae5', NULL, NULL, NULL, 'link', 0, 1800000120000, '6e340b9cffb3', '{"link":3,"role":"reviewer","for":null}');
INSERT INTO public.records VALUES (7, 'a7273e42cb684ffd99bb38725ff10415', 3, NULL, NULL, 'joined', 0, 1800000120000, '6e340b9cffb3', '{"role":"reviewer","link":3}');
INSERT INTO public.records VALUES (8, '50c3a65ac3bd416e8c7941d319764b61', NULL, NULL, NULL, 'link', 0, 1800000180000, '6e340b9cffb3', '{"link":4,"role":"admin","for":null}');
INSERT INTO public.records VALUES (9, '8e292307e449490ba0a0b5faf39d7da0', 4, NULL, NULL, 'joined', 0, 1800000180000, '6e340b9cffb3', '{"role":"admin","link":4}');
INSERT INTO public.records VALUES (10, '1-answer-0', 1, 1, 1, 'answer', 1, 1800000300000, '6e340b9cffb3', '{"answer":{"score":5,"no_claims":false,"note":"as Ann Berg sees it"},"sent":{"score":5,"note":"as Ann Berg sees it"},"seconds":12.5,"suggested":false,"task":"accuracy","task_version":1}');
INSERT INTO public.records VALUES (11, '1-answer-1', 1, 2, 2, 'answer', 1, 1800000360000, '6e340b9cffb3', '{"answer":{"score":1,"no_claims":false,"note":"as Ann Berg sees it"},"sent":{"score":1,"note":"as Ann Berg sees it"},"seconds":12.5,"suggested":false,"task":"accuracy","task_version":1}');
INSERT INTO public.records VALUES (12, 'ann-skips-this', 1, 3, 3, 'skip', 1, 1800000360000, '6e340b9cffb3', '{"reason":"Ann Berg does not understand it"}');
INSERT INTO public.records VALUES (13, '2-answer-0', 2, 1, 4, 'answer', 1, 1800000420000, '6e340b9cffb3', '{"answer":{"score":4,"no_claims":false,"note":"as Bo sees it"},"sent":{"score":4,"note":"as Bo sees it"},"seconds":12.5,"suggested":false,"task":"accuracy","task_version":1}');
INSERT INTO public.records VALUES (14, '2-answer-1', 2, 2, 5, 'answer', 1, 1800000480000, '6e340b9cffb3', '{"answer":{"score":2,"no_claims":false,"note":"as Bo sees it"},"sent":{"score":2,"note":"as Bo sees it"},"seconds":12.5,"suggested":false,"task":"accuracy","task_version":1}');
INSERT INTO public.records VALUES (15, 'review-0', 3, 1, 1, 'review', 1, 1800000480000, '6e340b9cffb3', '{"batch":1,"round":1,"right":false,"comment":"Ann Berg, look again","answer":null}');
INSERT INTO public.records VALUES (16, 'review-1', 3, 2, 2, 'review', 1, 1800000480000, '6e340b9cffb3', '{"batch":1,"round":1,"right":true,"comment":"Ann Berg, look again","answer":null}');
INSERT INTO public.records VALUES (17, '51ada8462dda4dc7ae3c921a47ce0753', 1, NULL, NULL, 'batch', 0, 1800000480000, '6e340b9cffb3', '{"batch":1,"round":1,"right":0.5,"accepted":false,"sample":2}');
INSERT INTO public.records VALUES (18, 'decision-1', 3, 1, NULL, 'adjudication', 1, 1800000480000, '6e340b9cffb3', '{"answer":{"score":4,"no_claims":false,"note":""},"comment":"Ann Berg was too kind"}');
INSERT INTO public.records VALUES (19, 'e5ef2580976045ac835914675a55d73a', 4, NULL, NULL, 'person', 0, 1800000480000, '6e340b9cffb3', '{"of":2,"role":"reviewer"}');
INSERT INTO public.records VALUES (20, '519defea6ad74000922c5eb3e749376c', 4, NULL, NULL, 'link', 0, 1800000480000, '6e340b9cffb3', '{"link":5,"role":"annotator","for":1}');
INSERT INTO public.sessions VALUES ('0abba7970d651a5d8b3ba29d279b8936229eb9f25a3e8584de77f78c2df4bf4a', 1, 'VpplBqjjzAD7JuFWPBOlc3V6RC_sV1Mb7WVZWyl3Eks', 1800000000000, 1800604800000);
INSERT INTO public.sessions VALUES ('a6a820a725ed082862bd5ca1965b10f103d3c07b1cb06e67470b13ad52d8fad8', 3, 'hnnZxmqDz9Iv0Rj7SEESYVHCRjS5cs69IqTrvbTqFgM', 1800000120000, 1800604920000);
INSERT INTO public.sessions VALUES ('3e4bb18009d3536abec53a94b0128442582df5316c546a8f089626db8f10bfa5', 4, 'pVl5rw0AbqUGJIlTgcuWPKZ_gCS6qOptPnL8y5qggic', 1800000180000, 1800604980000);
SELECT pg_catalog.setval('public.assignments_id_seq', 6, true);
SELECT pg_catalog.setval('public.attempts_id_seq', 3, true);
SELECT pg_catalog.setval('public.batches_id_seq', 4, true);
SELECT pg_catalog.setval('public.checks_id_seq', 4, true);
SELECT pg_catalog.setval('public.items_id_seq', 3, true);
SELECT pg_catalog.setval('public.links_id_seq', 5, true);
SELECT pg_catalog.setval('public.people_id_seq', 4, true);
SELECT pg_catalog.setval('public.records_id_seq', 20, true);
ALTER TABLE ONLY public.checks
    ADD CONSTRAINT a_reviewer_checks_once UNIQUE (assignment, round, reviewer);
ALTER TABLE ONLY public.assignments
    ADD CONSTRAINT assignments_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.attempts
    ADD CONSTRAINT attempts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.batches
    ADD CONSTRAINT batches_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.checks
    ADD CONSTRAINT checks_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.items
    ADD CONSTRAINT items_name_key UNIQUE (name);
ALTER TABLE ONLY public.items
    ADD CONSTRAINT items_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.links
    ADD CONSTRAINT links_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.links
    ADD CONSTRAINT links_token_hash_key UNIQUE (token_hash);
ALTER TABLE ONLY public.meta
    ADD CONSTRAINT meta_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.assignments
    ADD CONSTRAINT nobody_gets_an_item_twice UNIQUE (item, person);
ALTER TABLE ONLY public.records
    ADD CONSTRAINT nothing_happens_twice UNIQUE (person, client_id);
ALTER TABLE ONLY public.people
    ADD CONSTRAINT people_name_key_key UNIQUE (name_key);
ALTER TABLE ONLY public.people
    ADD CONSTRAINT people_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.records
    ADD CONSTRAINT records_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (token_hash);
CREATE INDEX assignments_leased ON public.assignments USING btree (lease_until) WHERE ((state)::text = 'leased'::text);
CREATE INDEX assignments_of_a_person ON public.assignments USING btree (person, state, id);
CREATE INDEX attempts_of_a_key ON public.attempts USING btree (key, "time");
CREATE INDEX batches_by_state ON public.batches USING btree (state);
CREATE INDEX batches_of_a_person ON public.batches USING btree (person, state);
CREATE INDEX checks_of_a_batch ON public.checks USING btree (batch, round);
CREATE INDEX checks_of_a_reviewer ON public.checks USING btree (reviewer, is_right);
CREATE INDEX checks_waiting ON public.checks USING btree (id) WHERE (is_right IS NULL);
CREATE INDEX items_open ON public.items USING btree (control, id) WHERE (open > 0);
CREATE INDEX ix_assignments_batch ON public.assignments USING btree (batch);
CREATE INDEX ix_sessions_person ON public.sessions USING btree (person);
CREATE INDEX records_of_a_kind ON public.records USING btree (kind, person);
CREATE INDEX records_of_an_assignment ON public.records USING btree (assignment);
CREATE INDEX records_of_an_item ON public.records USING btree (item);
CREATE TRIGGER records_keep BEFORE DELETE OR UPDATE OR TRUNCATE ON public.records FOR EACH STATEMENT EXECUTE FUNCTION public.records_are_kept();
ALTER TABLE ONLY public.assignments
    ADD CONSTRAINT assignments_batch_fkey FOREIGN KEY (batch) REFERENCES public.batches(id);
ALTER TABLE ONLY public.assignments
    ADD CONSTRAINT assignments_item_fkey FOREIGN KEY (item) REFERENCES public.items(id);
ALTER TABLE ONLY public.assignments
    ADD CONSTRAINT assignments_person_fkey FOREIGN KEY (person) REFERENCES public.people(id);
ALTER TABLE ONLY public.batches
    ADD CONSTRAINT batches_person_fkey FOREIGN KEY (person) REFERENCES public.people(id);
ALTER TABLE ONLY public.checks
    ADD CONSTRAINT checks_assignment_fkey FOREIGN KEY (assignment) REFERENCES public.assignments(id);
ALTER TABLE ONLY public.checks
    ADD CONSTRAINT checks_batch_fkey FOREIGN KEY (batch) REFERENCES public.batches(id);
ALTER TABLE ONLY public.checks
    ADD CONSTRAINT checks_reviewer_fkey FOREIGN KEY (reviewer) REFERENCES public.people(id);
ALTER TABLE ONLY public.links
    ADD CONSTRAINT links_person_fkey FOREIGN KEY (person) REFERENCES public.people(id);
ALTER TABLE ONLY public.links
    ADD CONSTRAINT links_used_by_fkey FOREIGN KEY (used_by) REFERENCES public.people(id);
ALTER TABLE ONLY public.records
    ADD CONSTRAINT records_assignment_fkey FOREIGN KEY (assignment) REFERENCES public.assignments(id);
ALTER TABLE ONLY public.records
    ADD CONSTRAINT records_item_fkey FOREIGN KEY (item) REFERENCES public.items(id);
ALTER TABLE ONLY public.records
    ADD CONSTRAINT records_person_fkey FOREIGN KEY (person) REFERENCES public.people(id);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_person_fkey FOREIGN KEY (person) REFERENCES public.people(id);
