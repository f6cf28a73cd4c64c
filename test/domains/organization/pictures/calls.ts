import type { Changes, PlainCalls, Stored } from '../../../world/calls.ts';
import { png } from '../../../world/pictures.ts';

export const matrix: PlainCalls = {
  'organization.uploadIcon': () => ({ file: png }),
  'organization.removeIcon': () => ({}),
  'organization.uploadLogo': () => ({ file: png, night: true }),
  'organization.removeLogo': () => ({ night: true }),
};

export const changes: Changes = {
  'organization.uploadIcon': {
    'a first icon and a second one': async ({ as }) => {
      await as('administrator').organization.uploadIcon({ file: png });
      await as('owner').organization.uploadIcon({ file: png });
    },
  },
  'organization.removeIcon': {
    'an uploaded icon': async ({ as }) => {
      await as('administrator').organization.uploadIcon({ file: png });
      await as('administrator').organization.removeIcon();
    },
  },
  'organization.uploadLogo': {
    'both logos': async ({ as }) => {
      await as('administrator').organization.uploadLogo({ file: png });
      await as('administrator').organization.uploadLogo({ file: png, night: true });
    },
  },
  'organization.removeLogo': {
    'one of two logos': async ({ as }) => {
      await as('administrator').organization.uploadLogo({ file: png });
      await as('administrator').organization.uploadLogo({ file: png, night: true });
      await as('administrator').organization.removeLogo();
    },
  },
};

export const stored: Stored = async (tx) => (await tx.organization.get())?.settings.pictures;
