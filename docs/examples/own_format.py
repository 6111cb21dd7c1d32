import tupelo

# A file in which every line is: arg1 | relation | arg2 | confidence | sentence
mine = tupelo.formats.column_format("bars", ["arg1", "rel", "arg2", "confidence", "sentence"], separator=" | ")
tupelo.formats.FORMATS.register("bars", mine)

with open("tuples.txt", "w", encoding="utf-8") as file:
    file.write("Ann | lives in | Oslo | 0.9 | Ann lives in Oslo .\n")
print(tupelo.read("tuples.txt", "bars"))
tupelo.write(tupelo.read("tuples.txt", "bars"), "-", "tab")
