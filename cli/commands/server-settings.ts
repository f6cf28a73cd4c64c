import { commands } from '../operations/metadata.ts';

export const serverSettings = commands('serverSettings', 'What a server says of itself before anybody signs in', {
  get: {},
});
