import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { create as contentDisposition } from 'content-disposition';
import { isChatError, VERSION } from '../../lib/index.ts';
import {
  AVATARS,
  decoded,
  emojiData,
  NotFound,
  ORGANIZATION_PICTURES,
  openApiDocument,
  UPLOADS,
} from '../../lib/internal.ts';
import { ClientGone } from '../body.ts';
import { callerKey, type ListenerContext } from '../context.ts';
import { INBOUND_MAIL, receiveInboundMail } from '../inbound-mail.ts';
import { recordOf } from '../request-record.ts';
import { sendFailure } from '../respond.ts';
import { decodeSegment, Methods } from '../router.ts';
import { failurePage, type PageRequest, pageRequest } from './account/account-page.ts';
import { confirmEmail } from './account/email.ts';
import { join } from './account/join.ts';
import { logIn, logOut, useDemoLink } from './account/login.ts';
import { requestReset, reset } from './account/passwords.ts';
import { beginProviderLogin, endProviderLogin, leaveProvider } from './account/provider-login.ts';
import { secondFactorPage } from './account/second-factor-page.ts';
import { unsubscribe } from './account/unsubscribe.ts';
import { html, htmlPage } from './html.ts';
import { bundledFile, type Page, type PageCall, redirectTo, sendPage } from './page.ts';
import { once, referencePages } from './reference/reference-pages.ts';
import { appPage, manifest } from './web/app-page.ts';
import { isWebFile } from './web/web-files.ts';

type MakePage = (call: PageCall) => Page | Promise<Page>;

/** The only page below the API. */
export const API_DESCRIPTION = '/api/v1/openapi.json';
/** Path for avatars by user ID or e-mail address, for clients without an avatar URL. */
const AVATAR = '/avatar';
/** Path of custom emoji images, below the prefix. */
const CUSTOM_EMOJI = '/custom_emoji';

/**
 * Everything outside of the API: uploaded files, avatars, custom emoji, the web app or the start page. Also pages to log
 * in and for users who cannot, the OpenAPI description and the API reference.
 */
export class Pages {
  /** By path. A first segment is for all paths below it. */
  readonly #pages: Map<string, Methods<MakePage>>;
  /** The files of the panel. */
  readonly #webFiles: Methods<MakePage> | undefined;

  /** @param options `isForPeople`: whether to add the start page and the API reference */
  constructor(
    private readonly context: ListenerContext,
    { isForPeople }: { isForPeople: boolean },
  ) {
    const { transport, rateLimits, web } = context;
    /** Pages that need no login. */
    const open = (make: MakePage) =>
      Methods.get<MakePage>(async (call) => {
        await rateLimits?.takeByAddress(call.req, 'pages_by_ip');
        return make(call);
      });
    const avatar = async (name: string) => {
      const bytes = await transport.avatarImage(name);
      return bytes && { content_type: 'image/png', bytes };
    };
    const forAccounts: MakePage = (call) => accountPageAt(context, call);
    this.#pages = new Map<string, Methods<MakePage>>([
      [CUSTOM_EMOJI, open(({ path }) => image(transport.emojiImage, path))],
      [ORGANIZATION_PICTURES, open(({ path }) => image(transport.organizationImage, path))],
      [AVATARS, open(({ path }) => image(avatar, path))],
      [UPLOADS, Methods.get(({ path, req }) => uploadedFile(context, path, req))],
      [AVATAR, Methods.get(({ path, req }) => avatarRedirect(context, path, req))],
    ]);
    // Always present, because e-mails link to them.
    for (const place of ['/accounts', '/join', ...(web.cookie ? ['/login', '/logout'] : [])]) {
      this.#pages.set(place, Methods.get(forAccounts).set('POST', forAccounts));
    }
    const { inboundMailSecret: secret } = context;
    if (secret !== undefined) {
      const receive: MakePage = ({ req }) => receiveInboundMail(context, req, secret);
      this.#pages.set(INBOUND_MAIL, new Methods<MakePage>().set('POST', receive));
    }
    if (web.isOn) this.#webFiles = open(({ path, req }) => web.files.page(path, req));
    const add = (path: string, make: MakePage) => this.#pages.set(path, open(make));
    const description = once(openApi);
    add(API_DESCRIPTION, ({ base }) => description(base));
    add('/static/emoji.json', ({ req }) => emojiNames(req));
    const ofWeb = web.isOn ? ['app-icon-192.png', 'app-icon-512.png'] : [];
    for (const picture of ['organization-icon.png', 'unknown-user-avatar.png', ...ofWeb])
      add(`/static/${picture}`, picturePage(picture));
    // The emoji `:zulip:`, at the path that messages and clients use.
    add('/static/generated/emoji/images/emoji/unicode/zulip.png', picturePage('zulip.png'));
    if (web.isOn) {
      add('/', ({ req }) => appPage(context, req));
      add('/manifest.webmanifest', () => manifest(context));
    } else if (isForPeople) add('/', ({ base }) => startPage(context, base));
    if (!isForPeople) return;
    for (const [path, show] of referencePages()) add(path, ({ base }) => show(base));
  }

  find(path: string): Methods<MakePage> | undefined {
    return this.#pages.get(path) ?? this.#pages.get(firstOf(path)) ?? (isWebFile(path) ? this.#webFiles : undefined);
  }

  /** The path for the log. Some paths contain a secret. */
  routeOf(path: string): string {
    const first = firstOf(path);
    return path !== '/' && this.#pages.has(first) ? `${first}/{rest}` : path;
  }

  async answer(methods: Methods<MakePage>, call: PageCall): Promise<void> {
    const { req, res, path } = call;
    const { transport, unsent } = this.context;
    recordOf(req)?.note(this.routeOf(path), 'page');
    try {
      const make = methods.choose(req, res);
      if (!make) return;
      const page = await make(call);
      await sendPage(req, res, page, (bytes) => unsent.add(res, callerKey(this.context, req), bytes));
    } catch (error) {
      sendFailure(transport.engine.logger, { req, res, headers: {} }, this.routeOf(path), error);
    }
  }
}

type Answer = (request: PageRequest, secret: string) => Promise<Page>;

/** Pages by path. The part in parentheses is a secret and must not be logged. */
const ACCOUNT_PAGES: readonly { name: string; address: RegExp; answer: Answer }[] = [
  { name: 'join', address: /^\/join\/([^/]+)\/?$/, answer: join },
  { name: 'reset', address: /^\/accounts\/password\/reset\/([^/]+)\/?$/, answer: reset },
  { name: 'confirm e-mail', address: /^\/accounts\/email\/confirm\/([^/]+)\/?$/, answer: confirmEmail },
  { name: 'unsubscribe', address: /^\/accounts\/unsubscribe\/([^/]+)\/?$/, answer: unsubscribe },
  { name: 'second factor', address: /^\/accounts\/second-factor\/?$/, answer: secondFactorPage },
  { name: 'login', address: /^\/login$/, answer: logIn },
  { name: 'demo link', address: /^\/login\/([^/]+)$/, answer: useDemoLink },
  { name: 'provider', address: /^\/login\/oidc\/([^/]+)$/, answer: beginProviderLogin },
  { name: 'provider answer', address: /^\/login\/oidc\/([^/]+)\/callback$/, answer: endProviderLogin },
  { name: 'provider logout', address: /^\/login\/oidc\/([^/]+)\/logout$/, answer: leaveProvider },
  { name: 'logout', address: /^\/logout$/, answer: logOut },
  { name: 'request reset', address: /^\/accounts\/password\/reset\/?$/, answer: requestReset },
];

/** Pages for users without an account or a password. They use no scripts and work on phones. */
async function accountPageAt(context: ListenerContext, { path, ...call }: PageCall): Promise<Page> {
  const page = ACCOUNT_PAGES.find(({ address }) => address.test(path));
  if (!page) throw new NotFound(path.slice(0, 200));
  const [, secret = ''] = page.address.exec(path) ?? [];
  try {
    return await page.answer(await pageRequest(context, call), secret);
  } catch (error) {
    if (error instanceof ClientGone) throw error;
    return failurePage(context, page.name, error);
  }
}

function firstOf(path: string): string {
  const end = path.indexOf('/', 1);
  return end === -1 ? path : path.slice(0, end);
}

const SECONDS_PER_DAY = 86_400;
/** For content that gets a new URL when it changes. */
const IMMUTABLE = 'public, max-age=31536000, immutable';

/** For files that are not pages. */
const POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** @param maxAge seconds that browsers may cache it */
function page(type: string, bytes: Buffer, maxAge: number): Page {
  return {
    bytes,
    headers: {
      'Content-Type': type,
      'Cache-Control': `public, max-age=${maxAge}`,
      'Content-Security-Policy': POLICY,
      'Referrer-Policy': 'no-referrer',
    },
  };
}

/** A picture that the package contains. The first use reads it. */
function picturePage(name: string): MakePage {
  let reading: Promise<Page> | undefined;
  return () => {
    reading ??= readFile(bundledFile('images', name)).then((bytes) => page('image/png', bytes, SECONDS_PER_DAY));
    return reading;
  };
}

/** The names of all emoji. Pages of all sites may read them. */
function emojiNames({ url = '' }: IncomingMessage): Page {
  const { json, version } = emojiData();
  const { bytes, headers } = page('application/json', json, SECONDS_PER_DAY);
  const lasting = url.endsWith(`?v=${version}`) && { 'Cache-Control': IMMUTABLE };
  return { bytes, headers: { ...headers, 'Access-Control-Allow-Origin': '*', ...lasting } };
}

/** The OpenAPI description contains its URL, which depends on the mount path. */
function openApi(base: string): Page {
  const document = { ...openApiDocument(), servers: [{ url: `${base}/api/v1` }] };
  return page('application/json', Buffer.from(`${JSON.stringify(document)}\n`), 300);
}

/** Images need no login: pages use a plain `<img>`, and their URLs cannot be guessed. */
async function image(
  find: (name: string) => Promise<{ content_type: string; bytes: Uint8Array } | undefined>,
  path: string,
): Promise<Page> {
  const found = await find(path.slice(firstOf(path).length + 1));
  if (!found) throw new NotFound(path.slice(0, 200));
  return {
    bytes: found.bytes,
    headers: {
      'Content-Type': found.content_type,
      'Cache-Control': IMMUTABLE,
      'Content-Security-Policy': "default-src 'none'; sandbox",
    },
  };
}

/**
 * `/avatar/7`, `/avatar/ada@example.com` and `…/medium` redirect to the avatar. If the caller may not see the user, or
 * the user does not exist, they redirect to the avatar for unknown users.
 */
async function avatarRedirect(
  { transport, authentication, rateLimits }: ListenerContext,
  path: string,
  req: IncomingMessage,
): Promise<Page> {
  const [, named, medium] = /^([^/]+)(\/medium)?$/.exec(path.slice(AVATAR.length + 1)) ?? [];
  if (named === undefined) throw new NotFound(path.slice(0, 200));
  const identity = await authentication.identify(req, 'spectator');
  if (identity.userId === null) await rateLimits?.takeByAddress(req, 'pages_by_ip');
  else await rateLimits?.take(req, identity.userId);
  const caller = { ...identity, client: 'avatar' };
  const url = await transport.avatarUrl(caller, decoded(named), { isMedium: medium !== undefined });
  return redirectTo(url, { 'Cache-Control': 'private, no-cache', Vary: 'Authorization' });
}

/** The start page: name of the organization and links. */
async function startPage({ chat }: ListenerContext, base: string): Promise<Page> {
  const settings = chat.anonymous().serverSettings.get();
  const { realm_name: title } = await settings.catch((error: unknown) => {
    // An empty database has no organization yet.
    if (isChatError(error)) return { realm_name: 'Parlance' };
    throw error;
  });
  return htmlPage({
    title,
    main: html`<p>This is a team chat server. To chat, use a Zulip app with this address, or the API.</p>
<ul>
<li><a href="${base}/accounts/password/reset/">Forgot your password?</a></li>
<li><a href="${base}/api/docs">API reference</a></li>
<li><a href="${base}${API_DESCRIPTION}">OpenAPI description</a></li>
<li><a href="${base}/api/v1/server_settings">Server settings</a></li>
</ul>`,
    footer: `Parlance ${VERSION}`,
    headers: { 'Cache-Control': 'no-cache' },
  });
}

/** Types that browsers can show without running their content. They download all others. */
const SHOWN: ReadonlySet<string> = new Set([
  'application/pdf',
  'text/plain',
  ...['apng', 'avif', 'bmp', 'gif', 'jpeg', 'png', 'webp', 'x-icon'].map((type) => `image/${type}`),
  ...['aac', 'flac', 'mp3', 'mp4', 'mpeg', 'ogg', 'opus', 'wav', 'wave', 'webm'].map((type) => `audio/${type}`),
  ...['x-aac', 'x-flac', 'x-m4a', 'x-wav'].map((type) => `audio/${type}`),
  ...['3gpp', 'mp4', 'mpeg', 'ogg', 'quicktime', 'webm', 'x-m4v', 'x-matroska'].map((type) => `video/${type}`),
]);

/** Parts of the path of a file: `1/4e/m2A3MSqFnWRLUf9SaPzQ0Up_/cat.png`. */
const PATH_PARTS = 4;

function uploadAt(path: string) {
  const [kind = '', ...rest] = path
    .slice(UPLOADS.length + 1)
    .split('/')
    .map(decodeSegment);
  const token = kind === 'temporary' ? rest.shift() : undefined;
  const isThumbnail = kind === 'thumbnail' || (kind === 'temporary' && rest.length > PATH_PARTS);
  const thumbnail = isThumbnail ? rest.pop() : undefined;
  const pathId = (/^(?:temporary|thumbnail|download)$/.test(kind) ? rest : [kind, ...rest]).join('/');
  if (pathId === '') throw new NotFound(path.slice(0, 200));
  return { kind, token, thumbnail, pathId };
}

const NOTHING = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'";

/**
 * Serves `/user_uploads/1/4e/…/cat.png` to users with access to the file, `/user_uploads/temporary/TOKEN/…` to everyone
 * with this URL, `/user_uploads/download/…` as a download, and `/user_uploads/thumbnail/…/840x560.webp` as a smaller
 * image. Temporary URLs have smaller images too: `/user_uploads/temporary/TOKEN/…/840x560.webp`.
 */
export async function uploadedFile(
  { transport, authentication, rateLimits }: ListenerContext,
  path: string,
  req: IncomingMessage,
): Promise<Page> {
  const { kind, token, thumbnail, pathId } = uploadAt(path);
  const caller = token === undefined ? await authentication.identify(req, 'spectator') : { userId: null };
  await rateLimits?.take(req, caller.userId, 'files_by_user');
  const file = await transport.openUpload({ ...caller, client: 'download' }, pathId, { token, thumbnail });
  const type = file.content_type;
  const isShown = kind !== 'download' && SHOWN.has(type);
  return {
    bytes: file,
    headers: {
      'Content-Type': type === 'text/plain' ? 'text/plain; charset=utf-8' : type,
      'Content-Disposition': contentDisposition(file.name, { type: isShown ? 'inline' : 'attachment' }),
      // Browsers do not show PDF files in a sandbox.
      'Content-Security-Policy': type === 'application/pdf' ? `${NOTHING}; object-src 'self'` : `sandbox; ${NOTHING}`,
      // Check access again for every request.
      'Cache-Control': 'private, no-cache',
      Vary: 'Authorization, Cookie, Origin',
    },
  };
}
