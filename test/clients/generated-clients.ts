/**
 * `npm run test:clients`: linters accept the OpenAPI description, and generators create clients from it that compile
 * and work. Without Python, Java or Go, their tests are skipped by name.
 */
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  CACHE,
  emptyFolder,
  missing,
  nodePackages,
  PROGRAMS,
  pythonPackages,
  run,
  writeDocument,
} from './installed.ts';
import { ServerProcess } from './server-process.ts';

const REDOCLY = '@redocly/cli@2.77.0';
const SPECTRAL = '@stoplight/spectral-cli@6.16.3';
const OPENAPI_TYPESCRIPT = 'openapi-typescript@7.13.0';
const OPENAPI_FETCH = 'openapi-fetch@0.17.0';
const OPENAPI_PYTHON_CLIENT = 'openapi-python-client==0.29.1';
const OPENAPI_GENERATOR = 'openapi-generator-cli==7.26.0';
/** Further packages that the generated clients import. */
const PYTHON_CLIENT_NEEDS = ['pydantic==2.14.4', 'urllib3==2.8.0', 'python-dateutil==3.0.0'];

const COMPILER = fileURLToPath(import.meta.resolve('typescript/bin/tsc'));
const NODE_TYPES = fileURLToPath(new URL('../../node_modules/@types', import.meta.url));

const server = await ServerProcess.start({ after });

const DOCUMENT = await writeDocument(server.url);

/** For the programs that use a generated client. */
function login(): Record<string, string> {
  const { email, api_key } = server.account('hamlet');
  return { CHAT_URL: server.url, CHAT_EMAIL: email, CHAT_KEY: api_key };
}

test(`${REDOCLY} finds no error in the description`, async () => {
  const folder = await nodePackages('redocly', REDOCLY);
  const env = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  await run(join(folder, 'node_modules/.bin/redocly'), ['lint', DOCUMENT, '--extends', 'recommended'], { env });
});

test(`${SPECTRAL} finds no error in the description`, async () => {
  const folder = await nodePackages('spectral', SPECTRAL);
  const ruleset = join(folder, 'ruleset.json');
  await writeFile(ruleset, JSON.stringify({ extends: ['spectral:oas'] }));
  const options = ['--ruleset', ruleset, '--fail-severity', 'error', '--quiet'];
  await run(join(folder, 'node_modules/.bin/spectral'), ['lint', DOCUMENT, ...options]);
});

/** Compiles the program strictly together with the client that it imports, and runs it. */
async function compileAndRun(folder: string, options: object = {}): Promise<void> {
  const compilerOptions = {
    ...{ target: 'ES2022', module: 'NodeNext', strict: true, skipLibCheck: true, outDir: 'out', rootDir: '.' },
    ...{ lib: ['ES2022', 'DOM', 'DOM.Iterable'], types: ['node'], typeRoots: [NODE_TYPES] },
    ...options,
  };
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['*.ts', 'client/**/*.ts'] }),
  );
  await run(process.execPath, [COMPILER, '-p', folder], { cwd: folder });
  await run(process.execPath, [join(folder, 'out/program.js')], { cwd: folder, env: login() });
}

test(`${OPENAPI_TYPESCRIPT} and ${OPENAPI_FETCH} create a client that compiles and works`, async () => {
  const folder = await nodePackages('openapi-fetch', OPENAPI_TYPESCRIPT, OPENAPI_FETCH, 'typescript@5.9.3');
  await run(join(folder, 'node_modules/.bin/openapi-typescript'), [DOCUMENT, '-o', join(folder, 'schema.d.ts')]);
  await copyFile(join(PROGRAMS, 'openapi-fetch.ts.txt'), join(folder, 'program.ts'));
  await compileAndRun(folder);
});

const withoutPython = missing('python3');

test(`${OPENAPI_PYTHON_CLIENT} creates a client that compiles and works`, { skip: withoutPython }, async () => {
  const bin = await pythonPackages('openapi-python-client', OPENAPI_PYTHON_CLIENT);
  const folder = await emptyFolder('python-client');
  const config = join(folder, 'config.yaml');
  // It would format the code with another program.
  await writeFile(config, 'post_hooks: []\n');
  const options = ['--output-path', join(folder, 'client'), '--meta', 'none', '--config', config];
  await run(join(bin, 'openapi-python-client'), ['generate', '--path', DOCUMENT, ...options, '--fail-on-warning']);
  await run(join(bin, 'python'), ['-m', 'compileall', '-q', folder]);
  await run(join(bin, 'python'), [join(PROGRAMS, 'openapi-python-client.py'), folder], { env: login() });
});

const withoutJava = withoutPython || missing('java');

/** @param language name of the generator */
async function generate(language: string, properties: Readonly<Record<string, string>>): Promise<string> {
  const bin = await pythonPackages('openapi-generator', OPENAPI_GENERATOR, ...PYTHON_CLIENT_NEEDS);
  const folder = await emptyFolder(language);
  const given = Object.entries(properties).map(([name, value]) => `${name}=${value}`);
  const leftOut = 'apiTests=false,modelTests=false,apiDocs=false,modelDocs=false';
  const input = ['-g', language, '-i', DOCUMENT, '-o', join(folder, 'client'), '--global-property', leftOut];
  await run(join(bin, 'openapi-generator-cli'), ['generate', ...input, '--additional-properties', given.join(',')]);
  return folder;
}

test(`${OPENAPI_GENERATOR} creates a Python client that compiles and works`, { skip: withoutJava }, async () => {
  const folder = await generate('python', {
    packageName: 'chat_client',
    disallowAdditionalPropertiesIfNotPresent: 'false',
  });
  const python = join(CACHE, 'openapi-generator/bin/python');
  await run(python, ['-m', 'compileall', '-q', join(folder, 'client')]);
  await run(python, [join(PROGRAMS, 'openapi-generator.py'), join(folder, 'client')], { env: login() });
});

test(`${OPENAPI_GENERATOR} creates a TypeScript client that compiles and works`, { skip: withoutJava }, async () => {
  const folder = await generate('typescript-fetch', {
    disallowAdditionalPropertiesIfNotPresent: 'false',
    importFileExtension: '.js',
  });
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  await copyFile(join(PROGRAMS, 'typescript-fetch.ts.txt'), join(folder, 'program.ts'));
  await compileAndRun(folder);
});

test(`${OPENAPI_GENERATOR} creates a Go client that compiles and works`, {
  skip: withoutJava || missing('go'),
}, async () => {
  const folder = await generate('go', {
    packageName: 'chat',
    disallowAdditionalPropertiesIfNotPresent: 'false',
    withGoMod: 'false',
  });
  await writeFile(join(folder, 'go.mod'), 'module example.com/program\n\ngo 1.21\n');
  await copyFile(join(PROGRAMS, 'openapi-generator.go.txt'), join(folder, 'main.go'));
  const env = { GOFLAGS: '-mod=mod', ...login() };
  await run('go', ['mod', 'tidy'], { cwd: folder, env });
  await run('go', ['vet', './...'], { cwd: folder, env });
  await run('go', ['run', '.'], { cwd: folder, env });
});
