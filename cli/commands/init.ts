import { rm, writeFile } from 'node:fs/promises';
import { AUDIENCES, type Audience, checkNewOrganization, shellWord, transportOf } from '../../lib/internal.ts';
import { chooseDatabase, openChatAt } from '../database.ts';
import { Failure, UsageError } from '../failure.ts';
import { checkCanWrite, problemOf } from '../files.ts';
import { ask, firstLineOfStdin, isInteractive } from '../input.ts';
import { formatZuliprc } from '../profiles.ts';
import { chooseBaseUrl } from '../service-settings.ts';
import { databaseCommand, type LocalCall } from './local-command.ts';

interface InitFlags {
  name?: string;
  email?: string;
  fullName?: string;
  audience?: string;
  passwordStdin?: boolean;
  writeConfig?: string;
  force?: boolean;
}

export const initCommand = databaseCommand('init', {
  summary: 'Create an organization and its first owner',
  description: 'Create an organization and its first owner in a new database. On a terminal, asks for missing values.',
  options: [
    ['--name <text>', 'name of the organization'],
    ['--email <email>', 'e-mail address of the owner'],
    ['--full-name <text>', 'name of the owner'],
    ['--audience <audience>', 'team (default), or customers: guests do not see each other'],
    ['--password-stdin', "read the owner's password from the first line of stdin"],
    ['--write-config <file>', 'write the API key to a zuliprc that only you can read, instead of printing it'],
    ['--force', 'replace an existing --write-config file'],
    ['--base-url <url>', 'public address of the server (PARLANCE_BASE_URL; default http://localhost:9991)'],
  ],
  examples: ['init --db chat.db --name "Example" --email ada@example.com --full-name "Ada" --write-config ~/.zuliprc'],
  run: init,
});

async function init({ options, print }: LocalCall<InitFlags>): Promise<void> {
  const { baseUrl, writeConfig, force } = options;
  // Checked first: a key that cannot be written after the organization exists is lost.
  if (writeConfig !== undefined) checkCanWrite(writeConfig, { isNew: !force });
  const { location, place } = chooseDatabase(options);
  const address = chooseBaseUrl(baseUrl);
  const audience = audienceIn(options.audience);
  const { name, owner } = await complete(options);
  // Before opening the database, so that invalid values do not create an empty file.
  checkNewOrganization({ name, owner, audience });
  const { chat } = await openChatAt(location, { migrate: 'new', baseUrl: address });
  try {
    if (await chat.hasOrganization())
      throw new Failure(`${place} already contains an organization.`, 'Choose another database with --db.');
    const { user_id, email, api_key } = await chat.createOrganization({ name, owner, audience });
    const { baseUrl: site } = transportOf(chat).engine.options;
    if (writeConfig !== undefined) {
      // Always a new file: an existing file would keep its mode, and processes that have it open could read the key.
      if (force) await rm(writeConfig, { force: true });
      const login = formatZuliprc({ email, key: api_key, site });
      await writeFile(writeConfig, login, { mode: 0o600, flag: 'wx' }).catch((error: Error) => {
        const advice = `Get a new API key: chatctl users regenerate-api-key --db ${shellWord(place)}`;
        throw new Failure(`Created ${place}, but cannot write ${writeConfig}: ${problemOf(error)}`, advice);
      });
    }
    const key = writeConfig === undefined ? { api_key } : { config_file: writeConfig };
    const sentences = [
      `Created the organization "${name}" in ${place}; its owner is ${owner.full_name} <${email}>.`,
      writeConfig === undefined ? `API key, shown only this once: ${api_key}` : `The API key is in ${writeConfig}.`,
      `Next: chatctl serve --db ${shellWord(place)}`,
    ];
    print({ db: place, user_id, email, ...key, site }, sentences.join('\n'));
  } finally {
    await chat.close();
  }
}

function audienceIn(text = 'team'): Audience {
  const audience = AUDIENCES.find((known) => known === text);
  if (!audience) throw new UsageError(`--audience must be ${AUDIENCES.join(' or ')}.`);
  return audience;
}

async function complete(flags: InitFlags) {
  const asking = isInteractive() && !flags.passwordStdin;
  const missing: string[] = [];
  const required = async (typed: string | undefined, flag: string, question: string) => {
    const answer = typed ?? (asking ? await ask(question) : '');
    if (answer.trim() === '') missing.push(flag);
    return answer;
  };
  const name = await required(flags.name, '--name', 'Name of the organization?');
  const email = await required(flags.email, '--email', 'E-mail address of its owner?');
  const full_name = await required(flags.fullName, '--full-name', 'Name of the owner?');
  if (missing.length > 0) throw new UsageError(`Missing: ${missing.join(', ')}.`, 'See `chatctl init --help`.');
  let password: string | undefined;
  if (flags.passwordStdin) password = await firstLineOfStdin();
  else if (asking) password = (await ask('Password (empty for none)?', { secret: true })) || undefined;
  return { name, owner: { email, full_name, password } };
}
