from tupelo.cli import main

main()
