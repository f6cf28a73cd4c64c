/**
 * A chat in a Next application (app router), with the login of the application. Run in a copy of this folder:
 *
 * ```sh
 * npm init -y
 * npm install ./parlance-chat-0.1.0.tgz next react react-dom     # made by `npm pack`, see the README
 * npm install --save-dev typescript@5 @types/node @types/react
 * npx next build
 * npx next start          # SITE=https://chat.example.com DATABASE=/var/lib/application/chat.db
 * ```
 *
 * Then open http://localhost:3000 and log in. The API reference is at http://localhost:3000/chat/api/docs
 */
import { type FetchHandler, fetchHandler } from 'parlance-chat/server';
import { theChat } from '../../../chat.ts';

// The database needs Node. Responses must not be cached for other users.
export const runtime = 'nodejs';
export const dynamic = 'force-dynamic';

let handling: Promise<FetchHandler> | undefined;

function handler(): Promise<FetchHandler> {
  handling ??= theChat().then((chat) =>
    fetchHandler(chat, {
      prefix: '/chat',
      // In your own program, return the user of your login.
      authenticate: ({ headers }) =>
        /(?:^|; )login=ada(?:;|$)/.test(headers.get('cookie') ?? '') ? 'ada@example.com' : undefined,
      // Behind a proxy, add `trustProxy: true`. Do not add it without a proxy: clients can then fake their address.
    }),
  );
  return handling;
}

const handle = async (request: Request): Promise<Response> => (await handler())(request);

export {
  handle as DELETE,
  handle as GET,
  handle as HEAD,
  handle as OPTIONS,
  handle as PATCH,
  handle as POST,
  handle as PUT,
};
