import { MAX_MESSAGE_LENGTH } from '../rules/names.ts';
import { emojiFinder, emojiName } from './emoji.ts';
import { contentOf } from './files.ts';
import { CUT, lossesOfFiles, lossesOfReactions, peopleOf } from './messages.ts';
import { importUsers } from './people.ts';
import { importChannels, UNKNOWN_MEMBERS } from './places.ts';
import { type ImportRun, knownAmong } from './run.ts';
import { type ImportedChannel, type ImportedMessage, type ImportedUser, replaceReferences } from './source.ts';

/** A dry run: counts what an import would store, change and lose. */

export async function planUsers(run: ImportRun, users: readonly ImportedUser[]): Promise<void> {
  run.count(await run.read((context) => importUsers(context, users, { isPlan: true })));
  for (const { key } of users) run.planned.add(key);
}

export async function planChannels(run: ImportRun, channels: readonly ImportedChannel[]): Promise<void> {
  run.count(await run.read((context) => importChannels(context, channels, { isPlan: true })));
  const members = channels.flatMap((channel) => [...new Set(channel.members)]);
  const unknown = await unknownAmong(run, members);
  run.count({ losses: members.filter((user) => unknown.has(user)).map(() => UNKNOWN_MEMBERS) });
}

export async function planMessages(run: ImportRun, given: readonly ImportedMessage[]): Promise<void> {
  const known = await run.read((context) =>
    knownAmong(
      context,
      given.map(({ key }) => ['message', key]),
    ),
  );
  const messages = given.filter(({ key }) => known.id('message', key) === undefined);
  const missing = await unknownAmong(run, peopleOf(messages).keys());
  for (const user of missing) run.planned.add(user);
  const reactions = messages.flatMap((message) => message.reactions);
  const find = await run.read((context) => emojiFinder(context, reactions.length > 0));
  const unknown = await unknownAmong(
    run,
    reactions.map(({ user }) => user),
  );
  const isKnown = (user: string) => !unknown.has(user);
  const codeOf = (name: string) =>
    find(name)?.emoji_code ?? (run.plannedEmoji.has(emojiName(name)) ? emojiName(name) : undefined);
  const lost = lossesOfReactions(reactions, isKnown, (name) => codeOf(name) !== undefined);
  // Two names of an emoji, such as those with skin tones, are one reaction.
  const kept = messages.flatMap(({ key, reactions: own }) =>
    own
      .filter(({ user, name }) => isKnown(user) && codeOf(name))
      .map(({ user, name }) => `${key} ${user} ${codeOf(name)}`),
  );
  const files = messages.flatMap((message) => message.files);
  const stored = files.filter((file) => contentOf(run, file) && !run.plannedFiles.has(file.key));
  for (const { key } of stored) run.plannedFiles.add(key);
  const cut = messages.filter(({ content }) => textOf(content).length > MAX_MESSAGE_LENGTH);
  run.count({
    imported: {
      user: missing.size,
      message: messages.length,
      reaction: new Set(kept).size,
      file: stored.length,
    },
    present: { message: given.length - messages.length },
    losses: [
      ...lost,
      ...cut.map(() => CUT),
      ...lossesOfFiles(
        files.filter((file) => !contentOf(run, file)),
        { hasPlace: run.engine.options.files !== undefined },
      ),
    ],
  });
}

const textOf = (content: string) => replaceReferences(content, ({ otherwise }) => otherwise);

/** The users that neither the export nor the chat has. */
async function unknownAmong(run: ImportRun, users: Iterable<string>): Promise<Set<string>> {
  const others = [...new Set(users)].filter((user) => !run.planned.has(user));
  if (others.length === 0) return new Set();
  const known = await run.read((context) =>
    knownAmong(
      context,
      others.map((key) => ['user', key]),
    ),
  );
  return new Set(others.filter((user) => known.id('user', user) === undefined));
}
