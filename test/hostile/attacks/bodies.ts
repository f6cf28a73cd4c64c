import { type Attack, type Attacks, flags, listing, number, numbers, randomName, some } from './attack.ts';

/** Files, request bodies and requests about the server. */
export const BODIES: Attacks = {
  'list all files': () => ({ method: 'GET', path: '/attachments' }),
  'upload a file of 200 kB': () => ({
    method: 'POST',
    path: '/user_uploads',
    body: multipart('file', `${randomName('file')}.txt`, 'x'.repeat(200_000)),
  }),
  'upload an invalid image': () => ({
    method: 'POST',
    path: '/users/me/avatar',
    body: multipart('file', 'me.png', `\x89PNG\r\n\x1a\n${'x'.repeat(500_000)}`),
  }),
  'a form with 100,000 empty fields': () => ({
    method: 'POST',
    path: '/messages',
    body: {
      type: 'application/x-www-form-urlencoded',
      content: numbers(100_000)
        .map((at) => `n${at}=`)
        .join('&'),
    },
  }),
  'a form with 5,000 parts': () => ({
    method: 'POST',
    path: '/messages',
    body: manyParts(5_000),
  }),
  'a narrow of nested arrays': () => ({
    method: 'GET',
    path: '/messages',
    fields: {
      anchor: 'newest',
      num_before: 10,
      num_after: 0,
      narrow: `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
    },
  }),
  'a narrow with 5,000 terms': () => ({
    method: 'POST',
    path: '/messages/flags/narrow',
    fields: {
      anchor: 'newest',
      num_before: 5_000,
      num_after: 0,
      op: 'add',
      flag: 'starred',
      narrow: numbers(5_000).map((at) => ({ operator: 'topic', operand: `topic ${at}`, negated: true })),
    },
  }),
  'a list of messages above the limit': () => flags('add', 'read', numbers(120_000)),
  'a narrow with 5,000 users': ({ people }) => ({
    method: 'GET',
    path: '/messages',
    fields: { anchor: 'newest', num_before: 100, num_after: 0, narrow: [['dm', some(people, 5_000)]] },
  }),
  'a body of nested arrays': () => json('/messages', `{"narrow":${'['.repeat(400_000)}${']'.repeat(400_000)}}`),
  'a body with a list of the maximum size': () =>
    json('/messages/flags', `{"op":"add","flag":"read","messages":[${'1,'.repeat(400_000)}1]}`),
  'JSON with one field 120,000 times': () => json('/messages', `{${'"to":1,'.repeat(120_000)}"to":2}`),
  'JSON with 80,000 unknown fields': () =>
    json(
      '/messages',
      `{${numbers(80_000)
        .map((at) => `"n${at}":{}`)
        .join()}}`,
    ),
  'dry run: subscribe 1,000 users to 10 channels': ({ rooms, people }) => ({
    method: 'POST',
    path: '/dry_run/users/me/subscriptions',
    fields: { subscriptions: some(rooms, 10).map((name) => ({ name })), principals: some(people, 1_000) },
  }),
  'why of a search': (population, { id }) => ({
    ...listing(() => [['search', 'xylophone']])(population),
    path: `/why/${id}/messages`,
  }),
  'a wrong key in the URL of a webhook': () =>
    json(`/external/json?api_key=${number(1e9)}`, `[${'1,'.repeat(400_000)}1]`),
  'a wrong API key with a random address': () => ({
    method: 'GET',
    path: '/users/me',
    headers: {
      authorization: `Basic ${Buffer.from(`${randomName('p').replace(' ', '')}@example.com:${'x'.repeat(32)}`).toString('base64')}`,
      'user-agent': randomName('x'.repeat(8_000)),
    },
  }),
  'readiness check': () => ({ method: 'GET', path: '//ready' }),
  'CORS preflight request': () => ({
    method: 'OPTIONS',
    path: '/messages',
    headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' },
  }),
  'API documentation page': () => ({ method: 'GET', path: '//api/docs' }),
};

function json(path: string, content: string): Attack {
  return { method: 'POST', path, body: { type: 'application/json', content } };
}

function multipart(name: string, filename: string, content: string): NonNullable<Attack['body']> {
  const head = `--frontier\r\nContent-Disposition: form-data; name="${name}"; filename="${filename}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  return { type: 'multipart/form-data; boundary=frontier', content: `${head}${content}\r\n--frontier--\r\n` };
}

function manyParts(count: number): NonNullable<Attack['body']> {
  const parts = numbers(count).map((at) => `--frontier\r\nContent-Disposition: form-data; name="n${at}"\r\n\r\nx\r\n`);
  return { type: 'multipart/form-data; boundary=frontier', content: `${parts.join('')}--frontier--\r\n` };
}
