// Texts to click. One with an answer is checked.
export const EXAMPLES = [
  {
    title: 'A news item',
    text: 'Marta Solheim, a marine biologist from Bergen, moved to Lindvik in March 2011. She founded the Coastal Research Station there two years later. '
      + 'The mayor, Ola Brekke, said on Tuesday that the council will buy the old cannery. It did not sell the harbour. If the state agrees, the station may move into the cannery next year.',
  },
  {
    title: 'A biography',
    text: 'Ada Lovelace was born in London in 1815. Her father, the poet Lord Byron, left England a few months later and died in Greece in 1824. '
      + 'Lovelace met Charles Babbage in 1833 and translated an article about his Analytical Engine. She added notes, which were longer than the article itself.',
  },
  {
    title: 'A checked answer',
    text: 'The ferry Nordlys left Lindvik at six on Monday with 120 passengers. Its captain, Jon Berg, turned back after an hour because of a storm. Nobody was hurt.',
    source: 'The ferry Nordlys left Lindvik at six on Monday with 120 passengers. Its captain, Jon Berg, turned back after an hour because of a storm. Nobody was hurt.',
    answer: 'The Nordlys left Lindvik on Monday with 210 passengers. The captain turned back because of a storm. Three passengers were hurt. The ferry was built in Norway.',
  },
];
