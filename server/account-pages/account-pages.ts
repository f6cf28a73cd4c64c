import { randomUUID } from 'node:crypto';
import { ChatError, StorageError } from '../../lib/index.ts';
import { NotFound } from '../../lib/internal.ts';
import { ClientGone } from '../body-stream.ts';
import { html } from '../html.ts';
import type { Page, PageCall } from '../page.ts';
import type { ListenerContext } from '../pipeline.ts';
import { accountPage, type PageRequest, pageRequest } from './account-page.ts';
import { join } from './join.ts';
import { logIn, logOut, useDemoLink } from './login.ts';
import { requestReset, reset } from './passwords.ts';

type Answer = (request: PageRequest, secret: string) => Promise<Page>;

/** Pages by path. The part in parentheses is a secret and must not be logged. */
const PAGES: readonly { name: string; address: RegExp; answer: Answer }[] = [
  { name: 'join', address: /^\/join\/([^/]+)\/?$/, answer: join },
  { name: 'reset', address: /^\/accounts\/password\/reset\/([^/]+)\/?$/, answer: reset },
  { name: 'login', address: /^\/login$/, answer: logIn },
  { name: 'demo link', address: /^\/login\/([^/]+)$/, answer: useDemoLink },
  { name: 'logout', address: /^\/logout$/, answer: logOut },
  { name: 'request reset', address: /^\/accounts\/password\/reset\/?$/, answer: requestReset },
];

/** Pages for users without an account or a password. They use no scripts and work on phones. */
export const accountPages =
  (context: ListenerContext) =>
  async ({ path, ...call }: PageCall): Promise<Page> => {
    const page = PAGES.find(({ address }) => address.test(path));
    if (!page) throw new NotFound(path.slice(0, 200));
    const [, secret = ''] = page.address.exec(path) ?? [];
    try {
      return await page.answer(await pageRequest(context, call), secret);
    } catch (error) {
      if (error instanceof ClientGone) throw error;
      return failure(context, page.name, error);
    }
  };

function failure({ transport }: ListenerContext, page: string, error: unknown): Page {
  if (error instanceof ChatError) {
    const { 'retry-after': retryAfter } = error.data;
    return accountPage('Parlance', {
      title: error.status === 429 ? 'Too many attempts' : 'That did not work',
      status: error.status,
      body: html`<p>${error.message}</p>`,
      ...(retryAfter === undefined ? {} : { headers: { 'Retry-After': String(retryAfter) } }),
    });
  }
  const id = randomUUID();
  transport.engine.logger.error({ error, id, page }, 'page failed');
  return accountPage('Parlance', {
    title: 'Something went wrong',
    status: error instanceof StorageError ? 503 : 500,
    body: html`<p>Nothing was changed. Try again later. If it fails again, give this ID to an administrator: ${id}.</p>`,
  });
}
