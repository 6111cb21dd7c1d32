"""People make and judge tuples, paraphrases, inferences and facts in a browser: server, database and tasks."""
