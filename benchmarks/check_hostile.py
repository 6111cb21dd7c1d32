"""Does `tupelo check` keep silent where it can say nothing? Foreign texts and texts without words.

    python -m benchmarks.check_hostile [--count 2000] [--seed 0]

Every case is checked as a text against an English source, or as the source of an English text. There must be no
verdict, and a reason. Prints the cases for which there is one.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator

from tupelo.api.checking import Checked, Checker

ENGLISH = (
    "The government announced a new law on Monday. It lowers taxes for small firms, and nobody voted against it."
)
FOREIGN = """
Die Regierung hat am Montag ein neues Gesetz beschlossen, das die Steuern für kleine Firmen senkt.
Le gouvernement a annoncé lundi une nouvelle loi qui réduit les impôts des petites entreprises.
El gobierno anunció el lunes una nueva ley que reduce los impuestos de las pequeñas empresas.
Il governo ha annunciato lunedì una nuova legge che riduce le tasse delle piccole imprese.
O governo anunciou na segunda-feira uma nova lei que reduz os impostos das pequenas empresas.
De regering heeft maandag een nieuwe wet aangekondigd die de belastingen voor kleine bedrijven verlaagt.
Regeringen meddelade på måndagen en ny lag som sänker skatterna för små företag.
Rząd ogłosił w poniedziałek nową ustawę, która obniża podatki dla małych firm.
Hallitus ilmoitti maanantaina uudesta laista, joka alentaa pienten yritysten veroja.
Hükümet pazartesi günü küçük işletmelerin vergilerini düşüren yeni bir yasa açıkladı.
Guvernul a anunțat luni o nouă lege care reduce impozitele pentru firmele mici.
A kormány hétfőn új törvényt jelentett be, amely csökkenti a kisvállalkozások adóit.
Pemerintah mengumumkan pada hari Senin undang-undang baru yang menurunkan pajak usaha kecil.
Chính phủ hôm thứ Hai đã công bố một luật mới giảm thuế cho các doanh nghiệp nhỏ.
Serikali ilitangaza Jumatatu sheria mpya inayopunguza kodi kwa biashara ndogo.
Inihayag ng pamahalaan noong Lunes ang isang bagong batas na nagbabawas ng buwis sa maliliit na negosyo.
Gallia est omnis divisa in partes tres, quarum unam incolunt Belgae, aliam Aquitani.
El govern va anunciar dilluns una nova llei que redueix els impostos de les petites empreses.
Vláda v pondělí oznámila nový zákon, který snižuje daně malým firmám.
Valitsus teatas esmaspäeval uuest seadusest, mis vähendab väikeettevõtete makse.
Cyhoeddodd y llywodraeth ddydd Llun gyfraith newydd sy'n lleihau trethi busnesau bach.
Правительство объявило в понедельник о новом законе, который снижает налоги.
政府は月曜日に中小企業の税金を下げる新しい法律を発表した。
أعلنت الحكومة يوم الاثنين قانونا جديدا يخفض الضرائب.
Η κυβέρνηση ανακοίνωσε τη Δευτέρα νέο νόμο που μειώνει τους φόρους.
정부는 월요일에 중소기업의 세금을 낮추는 새로운 법을 발표했다.
सरकार ने सोमवार को नया कानून घोषित किया।
""".strip().splitlines()
LETTERS = "abcdefghijklmnopqrstuvwxyz"
MARKS = "!?.,;:-_*#()[]{}<>/\\|@$%^&+=~`'\""


def word(chance: random.Random) -> str:
    return "".join(chance.choices(LETTERS, k=chance.randint(3, 12)))


KINDS: dict[str, Callable[[random.Random], str]] = {
    "foreign": lambda chance: chance.choice(FOREIGN),
    "letters": lambda chance: " ".join(word(chance) for _ in range(chance.randint(1, 40))),
    "repeated": lambda chance: f"{word(chance)} " * chance.randint(2, 200),
    "digits": lambda chance: " ".join(str(chance.randint(0, 10 ** chance.randint(1, 20))) for _ in range(20)),
    "marks": lambda chance: "".join(chance.choices(MARKS, k=chance.randint(1, 300))),
    "unicode": lambda chance: "".join(chr(chance.randint(33, 0x2FFF)) for _ in range(chance.randint(1, 200))),
    "bytes": lambda chance: chance.randbytes(150).decode("latin-1"),
    "code": lambda chance: "".join(chance.choices(LETTERS + LETTERS.upper() + "0123456789+/", k=120)),
    "pictures": lambda chance: " ".join(chr(chance.randint(0x1F300, 0x1F6FF)) for _ in range(20)),
    "space": lambda chance: "".join(chance.choices(" \t\n\r\x0b\x00\u2028\u3000", k=chance.randint(0, 100))),
}


def cases(count: int, seed: int) -> Iterator[tuple[str, str, str]]:
    """Kind, text and source."""
    chance = random.Random(seed)
    for number in range(count):
        kind = list(KINDS)[number % len(KINDS)]
        made = KINDS[kind](chance)
        yield (kind, made, ENGLISH) if number // len(KINDS) % 2 else (kind, ENGLISH, made)


def speaks(checked: Checked) -> bool:
    """Whether there is a verdict, or no reason why there is none."""
    return bool(checked.claims) or checked.score is not None or not checked.reason


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    checker = Checker()
    wrong = 0
    for kind, text, source in cases(options.count, options.seed):
        checked = checker(text, source)
        if speaks(checked):
            wrong += 1
            print(f"{kind}: {[claim.verdict.value for claim in checked.claims]} {text[:60]!r} | {source[:60]!r}")
    print(f"{options.count} cases, {wrong} with a verdict")


if __name__ == "__main__":
    main()
