import { commands } from '../operations/metadata.ts';

export const serverSettings = commands('serverSettings', 'Server settings (no login needed)', {
  get: {},
});
