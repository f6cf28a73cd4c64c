import { warnOfLocalLink } from '../connection.ts';
import { Failure, UsageError } from '../failure.ts';
import { lookupsIn } from '../lookups.ts';
import { commands } from '../operations/metadata.ts';
import { oneLine } from '../output/text.ts';
import { connectedCommand, withSession } from './local-command.ts';

export const webhooks = commands('webhooks', 'Messages from other programs', {
  receive: {
    args: ['format', 'payload'],
    files: { payload: ['--payload-file <file>', 'file with the payload; - for stdin'] },
    done: ({ answer: { id } }) =>
      id === undefined ? 'Sent nothing: this event is not sent.' : `Sent the message ${id}.`,
    examples: [
      `webhooks receive slack_incoming '{"text": "The disk is *full*."}' --channel general --topic alerts --dry-run`,
    ],
  },
});

/** The last part of the URL, by the word of `--for`. */
const PATHS: Readonly<Record<string, string>> = { slack: 'slack_incoming', github: 'github', json: 'json' };
const WORDS = Object.keys(PATHS).join(', ');
const INCOMING_WEBHOOK = 2;

type UrlFlags = { for?: string; channel?: string; topic?: string };

export const webhookUrlCommand = connectedCommand<UrlFlags>('webhook-url', {
  summary: 'Print the URL to which other programs post messages of a bot',
  args: [['<bot>', 'e-mail address or ID of an incoming-webhook bot']],
  options: [
    ['--for <format>', `what the program sends: ${WORDS}`],
    ['--channel <channel>', 'name or ID (default: a direct message to the owner of the bot)'],
    ['--topic <text>', 'topic (default: depends on the program)'],
  ],
  examples: [
    'bots webhook-url alerts-bot@chat.example.com --for slack --channel general --topic alerts',
    'bots webhook-url alerts-bot@chat.example.com --for github --channel general',
  ],
  notes: ['The URL contains the API key of the bot. `bots regenerate-api-key` makes the URL invalid.'],
  async run({ args: [bot = ''], options, terminal, print }) {
    const path = PATHS[options.for ?? ''];
    if (path === undefined) throw new UsageError(`--for must be one of ${WORDS}.`);
    if (options.topic !== undefined && options.channel === undefined)
      throw new UsageError('--topic needs --channel.', 'Direct messages have no topic.');
    await withSession(options, async (session) => {
      const lookups = lookupsIn(session);
      const bot_id = await lookups.id('user', bot);
      const { user } = await session.users.get({ user_id: bot_id });
      if (user.bot_type !== INCOMING_WEBHOOK)
        throw new Failure(
          `${oneLine(user.full_name)} is not an incoming-webhook bot.`,
          'Create one: chatctl bots create --type incoming-webhook',
        );
      // The ID stays the same when the channel gets another name.
      const channel = options.channel === undefined ? undefined : await lookups.id('channel', options.channel);
      const { realm_url } = await session.serverSettings.get();
      const { api_key } = await session.bots.getApiKey({ bot_id });
      const query = new URLSearchParams({
        api_key,
        ...(channel !== undefined && { channel: String(channel) }),
        ...(options.topic !== undefined && { topic: options.topic }),
      });
      const url = `${realm_url.replace(/\/+$/, '')}/api/v1/external/${path}?${query}`;
      warnOfLocalLink(url, terminal);
      terminal.err('The URL contains the API key of the bot. Anyone with the URL can send messages as the bot:');
      print({ url }, url);
    });
  },
});
