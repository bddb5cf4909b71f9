/** Words that give a question its form and say nothing about its topic. */
export const QUESTION_FILLERS: ReadonlySet<string> = new Set(
  (
    'a about all an and any are as at be before between both by call called calls can code could defined ' +
    'did do does each every file files find for from function get gets give given happen happens has have ' +
    'how if in into is it its library made make makes method of on one or other project repo repositories ' +
    'repository same see set should show so than that the their them then there these they this to ' +
    'two use used uses using was what when where which while who whose why will with without would you'
  ).split(' '),
);
