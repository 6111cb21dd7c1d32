from tests.annotate.versions import main

main()
