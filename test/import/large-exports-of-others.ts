import { jsonLines } from './mattermost-export.ts';
import { START } from './slack-export.ts';
import { tarFile } from './zulip-export.ts';

const USERS = 20;
const CHANNELS = 6;
const at = (number: number) => START + number * 60;

/** A bulk export of Mattermost with so many messages, in channels, threads and direct conversations. */
export function largeMattermost(messages: number): Uint8Array {
  const user = (number: number) => `user${number % USERS}`;
  const all = Array.from({ length: USERS }, (_, number) => number);
  const lines: object[] = [
    { type: 'version', version: 1 },
    { type: 'team', team: { name: 'team' } },
  ];
  for (let number = 0; number < CHANNELS; number++)
    lines.push({ type: 'channel', channel: { team: 'team', name: `c${number}`, type: number === 1 ? 'P' : 'O' } });
  for (const number of all) {
    const channels = Array.from({ length: CHANNELS }, (_, channel) => ({ name: `c${channel}` }));
    const teams = [{ name: 'team', channels: channels.filter((_, channel) => (channel + number) % 3 > 0) }];
    lines.push({ type: 'user', user: { username: user(number), email: `${user(number)}@example.com`, teams } });
  }
  for (let number = 0; number < messages; number++) {
    const sent = {
      user: user(number),
      message: `message ${number} for @${user(number + 3)}`,
      create_at: at(number) * 1000,
    };
    const reactions = [{ user: user(number + 1), emoji_name: 'tada' }];
    if (number % 5 === 0)
      lines.push({ type: 'direct_post', direct_post: { ...sent, channel_members: [sent.user, user(number + 1)] } });
    else if (number % 5 === 1 && number + 1 < messages) {
      const reply = { user: user(number + 2), message: `reply ${number}`, create_at: at(++number) * 1000, reactions };
      lines.push({ type: 'post', post: { ...sent, team: 'team', channel: 'c0', replies: [reply] } });
    } else lines.push({ type: 'post', post: { ...sent, team: 'team', channel: `c${number % CHANNELS}`, reactions } });
  }
  return jsonLines(lines);
}

/** An export of Zulip with so many messages, in channels and direct conversations. */
export function largeZulip(messages: number): Promise<Uint8Array> {
  const people = Array.from({ length: USERS }, (_, number) => 100 + number);
  const channels = Array.from({ length: CHANNELS }, (_, number) => 10 + number);
  const entries: Record<string, string> = {
    'x/realm.json': JSON.stringify({
      zerver_realm: [{ id: 2, string_id: 'team', uuid: 'a1b2' }],
      zerver_userprofile: people.map((id) => ({
        id,
        email: `user${id}@example.com`,
        full_name: `Person ${id}`,
        role: 400,
      })),
      zerver_stream: channels.map((id) => ({ id, name: `c${id}` })),
      zerver_recipient: [
        ...channels.map((id) => ({ id: 1000 + id, type: 2, type_id: id })),
        ...people.map((id) => ({ id: 2000 + id, type: 1, type_id: id })),
      ],
      zerver_subscription: channels.flatMap((channel) =>
        people.map((user_profile) => ({
          recipient: 1000 + channel,
          user_profile,
          active: (channel + user_profile) % 3 > 0,
        })),
      ),
      zerver_reaction: Array.from({ length: messages / 3 }, (_, number) => ({
        ...{ message: 3 * number + 1, user_profile: 100 + (number % USERS), emoji_name: 'tada' },
      })),
    }),
  };
  for (let first = 1; first <= messages; first += 500)
    entries[`x/messages-${String(first).padStart(6, '0')}.json`] = JSON.stringify({
      zerver_message: Array.from({ length: Math.min(500, messages - first + 1) }, (_, number) => first + number).map(
        (id) => ({
          ...{ id, sender: 100 + (id % USERS), subject: `topic ${id % 9}`, date_sent: at(id) },
          recipient: id % 5 === 0 ? 2100 + ((id + 1) % USERS) : 1010 + (id % CHANNELS),
          content: `message ${id} for @**Person|${100 + ((id + 3) % USERS)}**`,
        }),
      ),
    });
  return tarFile(entries);
}
