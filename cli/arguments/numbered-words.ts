import { ROLE_NAMES } from '../output/cells.ts';
import { FIELD_TYPES } from './profile-values.ts';

/** Names for the numbers of the API, by parser. */
export const NUMBERED: Readonly<Record<'field type' | 'bot type' | 'interface', Readonly<Record<string, number>>>> = {
  'field type': FIELD_TYPES,
  'bot type': { generic: 1, 'incoming-webhook': 2, 'outgoing-webhook': 3 },
  interface: { zulip: 1, slack: 2 },
};

export const ROLES: Readonly<Record<string, number>> = {
  admin: 200,
  ...Object.fromEntries(Object.entries(ROLE_NAMES).map(([role, name]) => [name, Number(role)])),
};
