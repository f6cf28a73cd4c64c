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
    name: "the list has only the caller's words, in alphabetical order and original spelling",
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
    name: 'words are added trimmed and once whatever their case, and only their owner gets the event',
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
    name: 'a word of more than 100 characters is refused',
    as: 'cordelia',
    call: ['alertWords.add', { alert_words: ['x'.repeat(101)] }],
    refuses: { code: 'BAD_REQUEST', says: /limit: 100/ },
  },
  {
    name: 'a word of 100 characters is accepted',
    as: 'cordelia',
    call: ['alertWords.add', { alert_words: ['🎉'.repeat(100)] }],
    returns: { alert_words: ['🎉'.repeat(100)] },
  },
  {
    name: 'a user can keep 500 words',
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
    name: 'words are removed whatever their case, and unknown words are ignored',
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
