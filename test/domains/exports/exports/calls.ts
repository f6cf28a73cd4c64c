import { type Changes, type PlainCalls, type Stored, UNSEEN } from '../../../world/calls.ts';
import { finishedExport } from './finished-export.ts';

export const matrix: PlainCalls = {
  'exports.create': () => ({ export_type: 1 }),
  'exports.list': () => ({}),
  'exports.remove': async (world) => ({ export_id: await finishedExport(world) }),
  'exports.listConsents': () => ({}),
};

export const changes: Changes = {
  'exports.create': UNSEEN,
  'exports.remove': UNSEEN,
};

export const stored: Stored = (tx) => tx.dataExports.list(100);
