import { cases } from '../../../world/case.ts';

export const getChannelIdCases = cases('channels.getId', [
  {
    name: 'a channel is found by name, whatever its case',
    as: 'newcomer',
    call: ['channels.getId', { stream: ' dENMARK ' }],
    returns: ({ channels }) => ({ stream_id: channels.public }),
  },
  {
    name: 'a channel the caller cannot see is refused as missing',
    as: 'newcomer',
    call: ['channels.getId', { stream: 'Council' }],
    refuses: { code: 'BAD_REQUEST', says: /"Council" that you can access/ },
  },
  {
    name: 'a missing channel is refused with the same message as a hidden one',
    as: 'newcomer',
    call: ['channels.getId', { stream: 'Elba' }],
    refuses: { code: 'BAD_REQUEST', says: /"Elba" that you can access/ },
  },
  {
    name: 'an archived channel is refused as missing',
    as: 'hamlet',
    call: ['channels.getId', { stream: 'Ruins' }],
    refuses: { code: 'BAD_REQUEST' },
  },
  {
    name: 'stream is required',
    as: 'hamlet',
    call: ['channels.getId', {}],
    refuses: { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'stream' } },
  },
]);
