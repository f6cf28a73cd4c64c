import type { IncomingMessage } from 'node:http';
import { mediumIcon, uploadedPicture } from '../../../lib/internal.ts';
import type { ListenerContext } from '../../context.ts';
import { hostLoginPage, isLoggedIn } from '../account/login.ts';
import { html } from '../html.ts';
import { type Page, redirectTo } from '../page.ts';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "media-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types parlance',
].join('; ');

const DEFAULT_ICON = './static/app-icon-192.png';

/**
 * The page at `/`: the chat, for users with a login. Others go to the login page. All addresses are relative, so
 * that they are right behind a proxy that removes a prefix. Browsers keep the fragment, which names the place in the
 * chat.
 */
export async function appPage(context: ListenerContext, req: IncomingMessage): Promise<Page> {
  const originalUrl = 'originalUrl' in req ? req.originalUrl : req.url;
  const [path = '/'] = String(originalUrl ?? '/').split('?', 1);
  // `/chat`: relative addresses would miss the last part.
  if (!path.endsWith('/')) return redirectTo(`${path.slice(path.lastIndexOf('/') + 1)}/`);
  const { chat, web } = context;
  if (!(await isLoggedIn({ context, req }))) {
    if (web.cookie) return redirectTo('login');
    return web.loginUrl === undefined ? hostLoginPage() : redirectTo(web.loginUrl);
  }
  const [{ realm_name: title, realm_icon }, [panel, ...others]] = await Promise.all([
    chat.anonymous().serverSettings.get(),
    web.files.namesOfApp(),
  ]);
  const icon = uploadedPicture(realm_icon);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${icon ?? DEFAULT_ICON}">
<link rel="apple-touch-icon" href="${icon ? mediumIcon(icon) : DEFAULT_ICON}">
<link rel="manifest" href="./manifest.webmanifest">
${others.map((name) => html`<link rel="modulepreload" href="./static/${name}">\n`)}<script type="module" src="./static/${panel}"></script>
</head>
<body>
<parlance-panel view="app" site="." push="./service-worker.js?app"></parlance-panel>
<noscript>The chat needs JavaScript. You can also use a Zulip app.</noscript>
</body>
</html>
`;
  return {
    bytes: Buffer.from(page.text),
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': POLICY,
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Referrer-Policy': 'same-origin',
    },
  };
}

/** With it, browsers offer to install the web app. */
export async function manifest({ chat }: ListenerContext): Promise<Page> {
  const { realm_name: name, realm_icon } = await chat.anonymous().serverSettings.get();
  const uploaded = uploadedPicture(realm_icon);
  const icon = (src: string, size: number) => ({ src, sizes: `${size}x${size}`, type: 'image/png' });
  const icons = uploaded
    ? [icon(uploaded, 100), icon(mediumIcon(uploaded), 500)]
    : [192, 512].map((size) => ({ ...icon(`./static/app-icon-${size}.png`, size), purpose: 'any maskable' }));
  const content = {
    ...{ id: './', start_url: './', scope: './', name, short_name: name, display: 'standalone' },
    ...{ background_color: '#ffffff', theme_color: '#1f4fd8', icons },
  };
  return {
    bytes: Buffer.from(JSON.stringify(content)),
    headers: { 'Content-Type': 'application/manifest+json', 'Cache-Control': 'no-cache' },
  };
}
