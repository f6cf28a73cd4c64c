import type { PlainCalls } from '../../../world/calls.ts';

export const matrix: PlainCalls = {
  'topics.list': ({ channels }) => ({ stream_id: channels.webPublic }),
};
