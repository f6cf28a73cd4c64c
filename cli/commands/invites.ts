import { existsSync } from 'node:fs';
import { addressesIn, roleName, shellWord } from '../../lib/internal.ts';
import { warnOfLocalLink } from '../connection.ts';
import { UsageError } from '../failure.ts';
import { invitePeople, NOT_MAILED, type Offer, report } from '../invite-people.ts';
import { ifReadable } from '../lookups.ts';
import { commands } from '../operations/metadata.ts';
import { moment, oneLine } from '../output/text.ts';

const offer = {
  parsers: { invite_as: 'role', invite_expires_in_minutes: 'validity', stream_ids: 'channels', group_ids: 'groups' },
  flags: {
    invite_as: '--as <role>',
    invite_expires_in_minutes: '--expires <time>',
    stream_ids: '--channel <name>',
    group_ids: '--group <name>',
    welcome_message_custom_text: '--welcome <text>',
    include_realm_default_subscriptions: '--default-channels',
  },
  // New users join the default channels unless --no-default-channels is set.
  defaults: { stream_ids: [] as number[], include_realm_default_subscriptions: true },
} as const;

const key = { args: [{ parameter: 'key', label: 'LINK' }], parsers: { key: 'invitation key' } } as const;

export const invites = commands('invites', 'Invitations and invitation links', {
  list: {
    flags: { include_links: '--links' },
    // The links of invitations by e-mail too, unless --no-links is set.
    defaults: { include_links: true },
    columns: {
      invites: [
        'id',
        'email',
        ['invited_as', 'AS'],
        ['invited', 'SINCE'],
        ['expiry_date', 'EXPIRES'],
        ['email_state', 'SENT'],
        ['email_error', 'ERROR'],
        ['link_url', 'LINK'],
      ],
    },
    empty: 'There are no pending invitations.',
  },
  send: {
    ...offer,
    args: [{ parameter: 'invitee_emails', label: 'ADDRESS' }],
    parsers: { ...offer.parsers, invitee_emails: 'addresses' },
    flags: { ...offer.flags, notify_referrer_on_join: '--notify' },
    files: { invitee_emails: ['--csv <file>', 'CSV with a column email, or one address per line'] },
    options: [['--results <file>', 'CSV for the result of each address; addresses with a result there are skipped']],
    perform: {
      isForDryRuns: true,
      async run({ session, parameters: { invitee_emails, ...offer }, terminal, options, ...how }) {
        const addresses = addressesIn(invitee_emails);
        const file = addresses.find((address) => !address.includes('@') && existsSync(address));
        if (file !== undefined)
          throw new UsageError(`${file} is a file.`, `Use --csv ${shellWord(file)} to read its addresses.`);
        if (addresses.length === 0) throw new UsageError('There are no addresses to invite.');
        const resultsFile = options.results as string | undefined;
        const tried = how.isTried ? [] : undefined;
        const wanted = { session, offer: offer as Offer, addresses, resultsFile, tried, terminal };
        await report(await invitePeople(wanted), wanted, how);
      },
    },
    examples: [
      'invites send ben@example.com cleo@example.com --channel general --group support --expires 7d',
      'invites send --csv people.csv --as guest --results invited.csv',
    ],
  },
  createMultiuse: {
    ...offer,
    aliases: ['link'],
    done({ answer, terminal }) {
      terminal.err('Anyone with this link can join:');
      warnOfLocalLink(answer.invite_link, terminal);
      return answer.invite_link;
    },
    examples: ['invites link --as guest --channel general --expires 2w'],
  },
  resend: {
    async done({ session, parameters: { invite_id }, answer, terminal }) {
      if (answer.link_url === undefined) {
        const { invites: all } = (await ifReadable(session.invites.list())) ?? { invites: [] };
        const isMailed = all.find(({ id }) => id === invite_id)?.email_state !== 'none';
        return isMailed ? 'The e-mail will be sent again.' : NOT_MAILED;
      }
      warnOfLocalLink(answer.link_url, terminal);
      return `No e-mail is sent: share this link yourself.\n${answer.link_url}`;
    },
  },
  revoke: {
    undo: 'invites send',
    async before({ session, parameters: { invite_id } }) {
      const { invites: all } = (await ifReadable(session.invites.list())) ?? { invites: [] };
      const email = all.find(({ id }) => id === invite_id)?.email?.toLowerCase();
      const same = all.filter((each) => email !== undefined && each.email?.toLowerCase() === email);
      const others = same.map(({ id }) => id).filter((id) => id !== invite_id);
      const who = email === undefined ? `ID ${invite_id}` : oneLine(email);
      return () =>
        others.length === 0
          ? `Revoked the invitation to ${who}.`
          : `Revoked one invitation to ${who}. Still pending: ID ${others.join(', ')}.`;
    },
  },
  revokeMultiuse: {
    undo: 'invites create-multiuse',
    parsers: { invite_id: 'invitation link' },
    aliases: ['revoke-link'],
    done: 'Revoked the link. It no longer works.',
    examples: ['invites revoke-link https://chat.example.com/join/q1Zc7P0aXw9RkT3mB8vYdL2s/'],
  },
  preview: {
    ...key,
    done({ answer }) {
      const { realm_name, invited_by, invited_as, email, expiry_date, channels, groups } = answer;
      return [
        `${oneLine(invited_by)} invites ${email === null ? 'anyone with the link' : oneLine(email)} to join ${oneLine(realm_name)} as ${roleName(invited_as)}.`,
        ...(channels.length > 0 ? [`Channels: ${oneLine(channels.join(', '))}`] : []),
        ...(groups.length > 0 ? [`Groups: ${oneLine(groups.join(', '))}`] : []),
        expiry_date === null ? 'It does not expire.' : `It expires at ${moment(expiry_date)}.`,
      ].join('\n');
    },
  },
  confirmAddress: {
    args: [...key.args, 'email'],
    parsers: key.parsers,
    done: 'Sent a link to {email}, unless the limit for this address is reached.',
  },
  accept: {
    ...key,
    done: 'Created the account {email} (ID {user_id}). Its API key:\n{api_key}',
    examples: [
      'invites accept https://chat.example.com/join/q1Zc7P0aXw9RkT3mB8vYdL2s/ --full-name "Ben Ngo" --password-stdin < password.txt',
    ],
  },
  tryWelcome: {
    args: [{ parameter: 'welcome_message_custom_text', label: 'TEXT' }],
    done: 'The welcome bot sent you the message.',
  },
});
