import { cases } from '../../../world/case.ts';
import type { World } from '../../../world/world.ts';

const given = ({ as }: World) => as('cordelia').alertWords.add({ alert_words: ['Ghost', 'on call'] });
const many = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`);

export const listAlertWordsCases = cases('alertWords.list', [
  {
    name: 'a new user has an empty list of alert words',
    as: 'cordelia',
    call: ['alertWords.list'],
    returns: { alert_words: [] },
  },
  {
    name: "lists one's own in alphabetical order, as they were written",
    as: 'cordelia',
    given: async (world) => {
      await given(world);
      await world.as('hamlet').alertWords.add({ alert_words: ['skull'] });
    },
    call: ['alertWords.list'],
    returns: { alert_words: ['Ghost', 'on call'] },
  },
]);

export const addAlertWordsCases = cases('alertWords.add', [
  {
    name: 'adds words, trimmed and each once whatever the case; nobody else is told',
    as: 'cordelia',
    given,
    call: ['alertWords.add', { alert_words: [' deploy ', 'GHOST', '', '  ', 'Ärger', 'ärger'] }],
    returns: { alert_words: ['deploy', 'Ghost', 'on call', 'ärger'] },
    events: () => ({
      cordelia: [{ type: 'alert_words', alert_words: ['deploy', 'Ghost', 'on call', 'ärger'] }],
      hamlet: [],
    }),
  },
  {
    name: 'words already in the list change nothing and send no event',
    as: 'cordelia',
    given,
    call: ['alertWords.add', { alert_words: ['ghost'] }],
    returns: { alert_words: ['Ghost', 'on call'] },
    events: () => ({ cordelia: [] }),
  },
  {
    name: 'a word has 100 characters at most',
    as: 'cordelia',
    call: ['alertWords.add', { alert_words: ['x'.repeat(101)] }],
    refuses: { code: 'BAD_REQUEST', says: /limit: 100/ },
  },
  {
    name: 'a hundred characters are a word',
    as: 'cordelia',
    call: ['alertWords.add', { alert_words: ['🎉'.repeat(100)] }],
    returns: { alert_words: ['🎉'.repeat(100)] },
  },
  {
    name: 'five hundred words fit',
    as: 'cordelia',
    call: ['alertWords.add', { alert_words: many(500) }],
  },
  {
    name: 'more than 500 words of one user are refused',
    as: 'cordelia',
    given,
    call: ['alertWords.add', { alert_words: many(499) }],
    refuses: { code: 'BAD_REQUEST', says: /500/ },
  },
  {
    name: 'a request without words is refused',
    as: 'cordelia',
    call: ['alertWords.add', {}],
    refuses: { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'alert_words' } },
  },
]);

export const removeAlertWordsCases = cases('alertWords.remove', [
  {
    name: 'removes words whatever their case, and leaves out what is not there',
    as: 'cordelia',
    given,
    call: ['alertWords.remove', { alert_words: ['gHOST ', 'never'] }],
    returns: { alert_words: ['on call'] },
    events: () => ({ cordelia: [{ type: 'alert_words', alert_words: ['on call'] }], hamlet: [] }),
  },
  {
    name: 'removing words that are not in the list changes nothing',
    as: 'cordelia',
    given,
    call: ['alertWords.remove', { alert_words: ['never'] }],
    returns: { alert_words: ['Ghost', 'on call'] },
    events: () => ({ cordelia: [] }),
  },
]);
