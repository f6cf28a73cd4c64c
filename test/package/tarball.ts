/** The package that `npm publish` would upload, installed as by a user of it. Needs a build; the gate runs it. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { atLeast, OLDEST_SQLITE } from '../../lib/storage/sqlite/driver.ts';
import { blocksOf } from '../documents/blocks.ts';
import { GENERATED_TYPES } from '../documents/generated-types.ts';
import { undescribedFields } from '../documents/undescribed-fields.ts';
import { installPackage } from './installing.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const COMPILER = fileURLToPath(import.meta.resolve('typescript/bin/tsc'));

/** Uses every entry point, once with each module system. */
const CONSUMER = `
import { ChatError, openChat, type Session, sqlite } from 'parlance-chat';
import { postgres } from 'parlance-chat/postgres';
import { connect } from 'parlance-chat/client';
import { requestListener, serve } from 'parlance-chat/server';
import { testChat } from 'parlance-chat/testing';

export async function trial(): Promise<number> {
  const { people, close } = await testChat({ people: { ada: 'owner', ben: 'member' } });
  const { id } = await people.ada.messages.send({ type: 'direct', to: [people.ben.user_id], content: 'Hello' });
  await close();
  return id;
}

export async function start(url: string): Promise<Session[]> {
  const chat = await openChat({ storage: url.startsWith('postgres:') ? postgres(url) : sqlite(url) });
  const { url: site } = await serve(chat, { port: 0 });
  requestListener(chat, { prefix: '/chat' });
  const { user_id }: { user_id: number } = await chat.as('ada@example.com').users.me();
  // @ts-expect-error a channel's name is text
  await chat.as(user_id).channels.create({ name: 7, subscribers: [] }).catch((error) => error instanceof ChatError);
  return [chat.as(user_id), connect({ site })];
}
`;

/** A program without the types of Node and of browsers. It still reads files, hooks and signals. */
const BARE_CONSUMER = `
import { type AbortSignalLike, type BlobLike, type ByteRange, type FileStore, openChat, type Session, sqlite } from 'parlance-chat';
import { connect } from 'parlance-chat/client';
import { testChat } from 'parlance-chat/testing';

async function* content(): AsyncIterable<Uint8Array> {
  yield new Uint8Array([1, 2, 3]);
}

export const files: FileStore = {
  write: async () => undefined,
  read: async (_key: string, _range?: ByteRange) => content(),
  size: async () => 3,
  remove: async () => undefined,
};

export async function start(signal: AbortSignalLike, picture: BlobLike): Promise<Session> {
  const beforeSend = (_: unknown, about: { signal: AbortSignalLike }) => about.signal.throwIfAborted();
  const chat = await openChat({ storage: sqlite(':memory:'), files, hooks: { beforeSend } });
  const session = connect({ site: 'http://127.0.0.1' });
  await session.customEmoji.upload({ emoji_name: 'gruel', file: picture }, { signal });
  await session.uploads.send({ file: { name: 'a.txt', content: content() } });
  for await (const event of session.listen({ event_types: ['message'], signal })) event.message.content.trim();
  // @ts-expect-error a signal is an object
  await session.users.me({}, { signal: 7 });
  await testChat();
  return chat.as(1);
}
`;

/** A program with the types of Node or of browsers. Values pass in both directions. */
const PLATFORM_CONSUMER = `
import type { Hooks, Session } from 'parlance-chat';

export const hooks: Hooks = { beforeSend: async (_, { signal }) => void (await fetch('/', { signal })) };

export async function upload(session: Session): Promise<void> {
  const { signal } = new AbortController();
  await session.customEmoji.upload({ emoji_name: 'gruel', file: new Blob(['x']) }, { signal });
  // @ts-expect-error only a part of a signal
  await session.users.me({}, { signal: { aborted: false } });
}
`;

/** Three pixels. */
const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAABCAIAAACUgoPjAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAADUlEQVQImWNgaGCAIAAHigGBu2iZiAAAAABJRU5ErkJggg==';

const ONE_CATALOGUE = `
const { ChatError, openChat, sqlite } = require('parlance-chat');
const { connect } = require('parlance-chat/client');
const { serve } = require('parlance-chat/server');
(async () => {
  const chat = await openChat({ storage: sqlite(':memory:') });
  const { email, api_key } = await chat.createOrganization({ name: 'X', owner: { email: 'ada@example.com', full_name: 'Ada' } });
  const server = await serve(chat, { port: 0 });
  const page = await fetch(server.url + '/api/docs');
  const session = connect({ site: server.url, email, api_key });
  const refusal = await session.channels.getId({ stream: 'nowhere' }).catch((error) => error);
  await chat.as(email).customEmoji.upload({ emoji_name: 'gruel', file: new Blob([Buffer.from('${PICTURE}', 'base64')]) });
  console.log(page.status, refusal instanceof ChatError, refusal.code);
  await session.close();
  await server.close();
  await chat.close();
})();
`;

/** Searches a file in a thread, and prints the number of started threads. Exits by itself. */
const SEARCH = `
import { openChat, sqlite } from 'parlance-chat';
let threads = 0;
process.on('worker', () => threads++);
const chat = await openChat({ storage: sqlite(process.argv[2], { threadsFromBytes: 0 }) });
const ada = await chat.createOrganization({ name: 'X', owner: { email: 'ada@example.com', full_name: 'Ada' } });
const { messages } = chat.as(ada);
const { id } = await messages.send({ type: 'direct', to: [ada.user_id], content: 'red herring' });
const found = await messages.list({ anchor: 'newest', num_before: 5, narrow: [['search', 'herring']] });
console.log(threads, found.messages.length === 1 && found.messages[0].id === id);
await chat.close();
`;

/** Runs the repository's tests of these examples with the installed package. */
const FRAMEWORKS = `
import { checkMounted, logIn } from '${pathToFileURL(join(ROOT, 'test/examples/mounted.ts')).href}';
for (const name of ['hono', 'fastify']) {
  const { startApplication } = await import('./' + name + '.ts');
  const { url, close } = await startApplication({ database: name + '.db', port: 0 });
  await checkMounted(url, await logIn(url));
  await close();
  process.stdout.write(name + ' ');
}
`;

describe('the package', () => {
  let folder: string;
  const inFolder = (command: string, ...args: string[]) => run(command, args, { cwd: folder });
  const node = async (name: string, program: string) => {
    await writeFile(join(folder, name), program);
    return (await inFolder(process.execPath, name)).stdout;
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'package-'));
    await installPackage(folder);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('contains the required files and no others', async () => {
    const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--dry-run'], { cwd: ROOT });
    const names: string[] = JSON.parse(stdout)[0].files.map(({ path }: { path: string }) => path);
    const strange = names.filter(
      (name) =>
        !/^(dist\/|docs\/([\w/-]+\.md|panel\.png)$|examples\/|(package\.json|README\.md|CHANGELOG\.md|SECURITY\.md|LICENSE)$)/.test(
          name,
        ),
    );
    assert.deepEqual(strange, []);
    const pages = ['organization-icon.png', 'unknown-user-avatar.png', 'zulip.png'];
    for (const name of [
      'README.md',
      ...['docs/README.md', 'docs/panel.png'],
      'examples/hono.ts',
      'examples/next/app/chat/[[...path]]/route.ts',
      'examples/deploy/nginx.conf',
      'LICENSE',
      'dist/chatctl.js',
      ...[
        'panel.js',
        'panel.d.ts',
        'content.css',
        'panel/service-worker.js',
        'web/panel.js.br',
        'web/content.css.gz',
      ].map((file) => `dist/${file}`),
      ...pages.map((page) => `dist/images/${page}`),
    ])
      assert.ok(names.includes(name), name);
  });

  it("runs the README's first program as a module", async () => {
    assert.equal(await node('first.mjs', await firstProgram()), '<p>It <strong>works</strong>.</p>\n');
  });

  it("runs the README's first program as CommonJS", async () => {
    await rm(join(folder, 'hello.db'), { force: true });
    const program = (await firstProgram()).replace(/import (\{.*\}) from ('.*')/, 'const $1 = require($2)');
    assert.equal(await node('first.cjs', `(async () => {${program}})();`), '<p>It <strong>works</strong>.</p>\n');
  });

  it('has one ChatError for all entry points, and finds its pages and image worker', async () => {
    assert.match(await node('one.cjs', ONE_CATALOGUE), /^200 true \w+\n$/);
    const module = ONE_CATALOGUE.replace(/const (\{.*\}) = require\(('.*')\)/g, 'import $1 from $2');
    assert.match(await node('one.mjs', module), /^200 true \w+\n$/);
  });

  it('searches in reader threads, as a module, as CommonJS and bundled', async () => {
    await writeFile(join(folder, 'search.mjs'), SEARCH);
    const asFunction = `(async () => {${SEARCH.replace(/import (\{.*\}) from ('.*')/, 'const $1 = require($2)')}})();`;
    await writeFile(join(folder, 'search.cjs'), asFunction);
    const bundled = { bundle: true, platform: 'node', minify: true, packages: 'bundle', logLevel: 'error' } as const;
    const external = ['sharp', 'better-sqlite3'];
    const banner = {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    };
    const from = (name: string) => ({ entryPoints: [join(folder, name)], absWorkingDir: folder });
    await build({
      ...bundled,
      ...from('search.mjs'),
      external,
      banner,
      format: 'esm',
      outfile: join(folder, 'one.bundle.mjs'),
    });
    await build({
      ...bundled,
      ...from('search.cjs'),
      external,
      format: 'cjs',
      outfile: join(folder, 'one.bundle.cjs'),
    });
    for (const name of ['search.mjs', 'search.cjs', 'one.bundle.mjs', 'one.bundle.cjs'])
      assert.equal((await inFolder(process.execPath, name, `${name}.db`)).stdout, '1 true\n', name);
  });

  it('has a panel that bundlers keep, in one file or with its parts in files of their own', async () => {
    await writeFile(join(folder, 'page.mjs'), "import 'parlance-chat/panel';");
    const options = { bundle: true, format: 'esm', platform: 'browser', write: false, logLevel: 'error' } as const;
    const from = { entryPoints: [join(folder, 'page.mjs')], absWorkingDir: folder, outdir: join(folder, 'page') };
    const whole = await build({ ...options, ...from });
    const split = await build({ ...options, ...from, splitting: true });
    const textOf = ({ outputFiles }: typeof whole) => outputFiles.map(({ text }) => text).join('\n');
    assert.equal(whole.outputFiles.length, 1);
    assert.ok(split.outputFiles.length > 5, `${split.outputFiles.length} files`);
    for (const text of [textOf(whole), textOf(split)])
      assert.match(text, /customElements\.define\(/, 'the element is not removed as unused');
  });

  it('has declarations without schema types, with all docstrings', async () => {
    const dist = join(folder, 'node_modules/parlance-chat/dist');
    const texts = new Map<string, string>();
    for (const name of await readdir(dist))
      if (/\.d\.c?ts$/.test(name)) texts.set(name, await readFile(join(dist, name), 'utf8'));
    // Otherwise a compiler with `skipLibCheck: false` would infer every type from its schema again.
    for (const [name, text] of texts) assert.ok(!text.includes('valibot'), `${name} has types of schemas`);
    const all = [...texts.values()].join('\n');
    // Comments on fields, too, as they are in the sources.
    const { described } = undescribedFields(await readFile(join(ROOT, GENERATED_TYPES), 'utf8'));
    const [operations = ''] = [...texts.values()].filter((text) => text.includes('interface Operations'));
    assert.ok(undescribedFields(operations).described >= described);
    const [documented] = all.match(/\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s+addReaction: /) ?? [];
    for (const part of [
      'Add an emoji reaction',
      '`emoji_name`',
      '@throws BadRequest, ReactionAlreadyExists',
      '@example',
    ])
      assert.ok(documented?.includes(part), `${part} is missing in ${documented}`);
  });

  it('has examples that run when copied', async () => {
    const project = join(folder, 'application');
    await cp(join(folder, 'node_modules/parlance-chat/examples'), project, { recursive: true });
    await writeFile(join(project, 'package.json'), '{ "type": "module" }');
    const modules = join(folder, 'node_modules');
    await mkdir(join(modules, '@hono'), { recursive: true });
    for (const name of ['express', 'fastify', 'hono', '@hono/node-server'])
      await symlink(join(ROOT, 'node_modules', name), join(modules, name), 'dir');
    await writeFile(join(project, 'try.ts'), FRAMEWORKS);
    const tsx = pathToFileURL(join(ROOT, 'node_modules/tsx/dist/esm/index.mjs')).href;
    const { stdout } = await run(process.execPath, ['--import', tsx, 'try.ts'], { cwd: project });
    assert.equal(stdout, 'hono fastify ');
  });

  /** Compiles files with either module system and with bundler resolution, with the strictest options. */
  async function checkTypes(text: string, options: object): Promise<void> {
    for (const name of ['strict.mts', 'strict.cts']) await writeFile(join(folder, name), text);
    const strict = { noEmit: true, strict: true, skipLibCheck: false, target: 'es2023', ...options };
    // In node18 a CommonJS module cannot require an ES module. How modules are found does not matter to optional fields.
    const asNode = { ...strict, module: 'node18', exactOptionalPropertyTypes: true };
    const asBundler = { ...strict, module: 'esnext', moduleResolution: 'bundler', exactOptionalPropertyTypes: false };
    for (const config of [
      { compilerOptions: asNode, files: ['strict.mts', 'strict.cts'] },
      { compilerOptions: asBundler, files: ['strict.mts'] },
    ]) {
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
      await inFolder(process.execPath, COMPILER).catch((error) => assert.fail(error.stdout));
    }
    await rm(join(folder, 'tsconfig.json'));
  }

  it('compiles in a program without types of Node and browsers', async () => {
    await checkTypes(BARE_CONSUMER, { lib: ['es2023'], types: [] });
  });

  it('compiles with browser types in a program that has them', async () => {
    await checkTypes(PLATFORM_CONSUMER, { lib: ['es2023', 'dom'], types: [] });
  });

  it('compiles with each module system and with bundler resolution', async () => {
    await mkdir(join(folder, 'node_modules/@types'), { recursive: true });
    for (const name of ['@types/node', '@types/pg', 'undici-types', 'pg-types', 'pg-protocol']) {
      await cp(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name), { recursive: true });
    }
    for (const name of ['consumer.mts', 'consumer.cts']) await writeFile(join(folder, name), CONSUMER);
    const options = ['--noEmit', '--strict', '--skipLibCheck', 'false', '--target', 'es2023', '--types', 'node'];
    const compile = (...args: string[]) =>
      inFolder(process.execPath, COMPILER, ...options, ...args).catch((error) => assert.fail(error.stdout));
    // In node18 a CommonJS module cannot require an ES module.
    await compile('--module', 'node18', 'consumer.mts', 'consumer.cts');
    await compile('--module', 'esnext', '--moduleResolution', 'bundler', 'consumer.mts');
    await checkTypes(PLATFORM_CONSUMER, { types: ['node'], lib: ['es2023'] });
  });

  it('installs chatctl', async () => {
    const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
    assert.equal((await inFolder('npx', '--no-install', 'chatctl', '--version')).stdout, `${version}\n`);
    const { stdout } = await inFolder('npx', '--no-install', 'chatctl', 'users', 'list', '--db', 'hello.db', '--json');
    assert.equal(JSON.parse(stdout).members[0].full_name, 'Ada');
  });

  it('can be imported without a database driver, and names what is missing when one is needed', async () => {
    await rm(join(folder, 'node_modules/better-sqlite3'), { recursive: true });
    const program = `
      import { connect } from 'parlance-chat/client';
      import { openChat, sqlite } from 'parlance-chat';
      await openChat({ storage: sqlite('hello.db') }).then(
        (chat) => chat.close().then(() => console.log(typeof connect, 'opened')),
        (error) => console.log(typeof connect, error.name, error.message),
      );`;
    // Some versions of Node include a usable SQLite.
    const hasOwn = atLeast(process.versions.sqlite ?? '0', OLDEST_SQLITE);
    assert.match(
      await node('without.mjs', program),
      hasOwn ? /^function opened/ : /^function StorageError .*cannot load the package better-sqlite3/,
    );
  });
});

async function firstProgram(): Promise<string> {
  const [first] = (await blocksOf('README.md')).filter(({ language }) => language === 'ts');
  assert.ok(first);
  return first.text;
}
