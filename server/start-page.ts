import { type Chat, type Operation, routesOf, VERSION } from '../lib/index.ts';
import { catalogue } from '../lib/kernel/catalogue.ts';

/** The page at the root: whose chat this is, and where its API stands below `base`. */
export async function startPage(chat: Chat, base: string): Promise<string> {
  const name = escapeHtml((await organizationName(chat)) ?? 'Parlance');
  const api = `${escapeHtml(base)}/api`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${name}</title>
<style>body { font: 1rem/1.5 system-ui, sans-serif; max-width: 34rem; margin: 4rem auto; padding: 0 1rem }</style>
<h1>${name}</h1>
<p>This is a team chat. It has no pages to chat on: use a Zulip client with this address, or the API.</p>
<ul>
<li><a href="${api}/docs">API reference</a></li>
<li><a href="${api}/v1/openapi.json">OpenAPI description</a></li>
<li><a href="${api}/v1/server_settings">Server settings</a></li>
</ul>
<p>Parlance ${VERSION}</p>
</html>
`;
}

async function organizationName(chat: Chat): Promise<string | undefined> {
  const settings = (catalogue as readonly Operation[]).find((operation) =>
    routesOf(operation).some(({ path }) => path === '/server_settings'),
  );
  try {
    const answer = settings && (await chat.call(settings, { userId: null, client: 'Parlance' }));
    const name = (answer as { realm_name?: unknown } | undefined)?.realm_name;
    return typeof name === 'string' ? name : undefined;
  } catch {
    // An empty database has no organization yet.
    return undefined;
  }
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
