import spacy

nlp = spacy.blank("en")
nlp.add_pipe("tupelo")
doc = nlp("Ann Lee founded Acme. She lives in Oslo.")
for triple in doc._.triples:
    print(triple, triple.subject.text, triple.confidence, triple.stance)
