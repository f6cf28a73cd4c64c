/**
 * A chat inside a Next application (app router), behind the login that the application has already. In a copy of
 * this folder:
 *
 *   npm init -y
 *   npm install ./parlance-0.1.0.tgz next react react-dom     # the file is made by `npm pack`, as the README says
 *   npm install --save-dev typescript@5 @types/node @types/react
 *   npx next build
 *   npx next start          # SITE=https://chat.example.com DATABASE=/var/lib/application/chat.db
 *
 * Then open http://localhost:3000, or the API reference at http://localhost:3000/chat/api/docs once you are logged in.
 */
import { type FetchHandler, fetchHandler } from 'parlance/server';
import { theChat } from '../../../chat.ts';

// The database needs Node, and no answer of a chat may be kept for somebody else.
export const runtime = 'nodejs';
export const dynamic = 'force-dynamic';

let handling: Promise<FetchHandler> | undefined;

function handler(): Promise<FetchHandler> {
  handling ??= theChat().then((chat) =>
    fetchHandler(chat, {
      prefix: '/chat',
      // In your own program: whatever your login says.
      authenticate: ({ headers }) =>
        /(?:^|; )login=ada(?:;|$)/.test(headers.get('cookie') ?? '') ? 'ada@example.com' : undefined,
      // Behind a proxy of yours add `trustProxy: true`. Without one, Next hands on whatever address a caller claims.
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
