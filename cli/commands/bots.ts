import { userName } from '../lookups.ts';
import { commands } from '../operations/metadata.ts';
import { oneLine, sanitize, tableOf } from '../output/text.ts';
import { endOfAccess } from './end-of-access.ts';
import { webhookUrlCommand } from './webhooks.ts';

export const bots = commands(
  'bots',
  'Bots and their API keys',
  {
    create: {
      parsers: { bot_type: 'bot type', interface_type: 'interface' },
      flags: { bot_type: '--type <type>', interface_type: '--interface <form>' },
      // Stdout gets only the key, so that a program can read it.
      done({ answer: { user_id, full_name, email, api_key, services }, terminal }) {
        const created = `Created the bot ${oneLine(`${full_name} <${email}>`)} (ID ${user_id}).`;
        const [service] = services;
        const posted = service
          ? ` Messages to the bot are posted to ${oneLine(service.base_url)} with the token ${service.token}.`
          : '';
        terminal.err(`${created}${posted} Its API key:`);
        return api_key;
      },
      examples: [
        'bots create --full-name "Build Bot" --short-name build',
        'bots create --full-name Oracle --short-name oracle --type outgoing-webhook --payload-url https://example.com/ask',
      ],
    },
    edit: {
      without: ['is_active'],
      parsers: { service_interface: 'interface' },
      flags: {
        bot_owner_id: '--owner <user>',
        service_payload_url: '--payload-url <url>',
        service_interface: '--interface <form>',
      },
      done: 'Changed the bot {user bot_id}: {changes}.',
      async also({ session, parameters: { bot_id, role } }) {
        const ended = (await endOfAccess(session, { ids: [bot_id], role }))([]);
        return () => ended ?? 'Its API key is still valid; `chatctl bots regenerate-api-key` replaces it.';
      },
      variants: {
        reactivate: {
          args: ['bot_id'],
          summary: 'Reactivate a bot',
          defaults: { is_active: true },
          done: 'Reactivated the bot {user bot_id}.',
        },
      },
    },
    list: { columns: { bots: ['user_id', 'full_name', 'email', 'is_active'] } },
    deactivate: { confirm: 'Deactivate the bot {user bot_id}?', done: 'Deactivated the bot {user bot_id}.' },
    getApiKey: { done: '{api_key}' },
    regenerateApiKey: {
      confirm: 'Replace the API key of {user bot_id}? Programs that use the current key lose access.',
      async done({ session, parameters, answer, terminal }) {
        terminal.err(`New API key of ${await userName(session, parameters.bot_id)} (the old key is no longer valid):`);
        return answer.api_key;
      },
    },
  },
  webhookUrlCommand,
);

const keys = { parameter: 'keys', label: 'KEY' } as const;

const quoted = (names: readonly string[]) => names.map((name) => oneLine(JSON.stringify(name))).join(', ');

export const botStorage = commands('botStorage', 'Key-value storage for bots, per account', {
  get: {
    args: [keys],
    empty: 'Nothing is stored.',
    // For one key, stdout gets only its text, so that a program can read it.
    done({ answer: { storage }, parameters, terminal }) {
      const entries = Object.entries(storage);
      const [first] = entries;
      if (first && parameters.keys?.length === 1) return sanitize(first[1]);
      return tableOf(entries, terminal, { KEY: ([key]) => key, TEXT: ([, text]) => text });
    },
  },
  set: {
    args: [{ parameter: 'storage', label: 'KEY=TEXT' }],
    parsers: { storage: 'texts by key' },
    done: ({ parameters }) => `Stored ${quoted(Object.keys(parameters.storage))}.`,
    examples: ['bot-storage set visits=3 "greeting=Good morning"', 'bot-storage set \'{"visits": "3"}\''],
  },
  remove: {
    args: [keys],
    confirm: 'Remove permanently? Without keys, this removes everything that this account has stored.',
    done: ({ parameters }) => (parameters.keys ? `Removed ${quoted(parameters.keys)}.` : 'Removed everything stored.'),
  },
});
