/** Numbers about people and channels, from what administrators can list. */
import type { ComponentChildren, JSX } from 'preact';
import { Section } from '../app/sections.tsx';
import { ErrorText } from '../buttons.tsx';
import { useFetched } from '../refusal.ts';
import { useAdmin } from './admin-words.ts';
import { Line, List } from './lines.tsx';
import { stateOf, useLive } from './live.tsx';
import { lastSeenIn } from './people.tsx';

const ROLES = [100, 200, 300, 400, 600];
const DAY_SECONDS = 86_400;
const LARGEST = 10;

export function UsageSection(): JSX.Element {
  return (
    <>
      <People />
      <Channels />
    </>
  );
}

function Facts({ rows }: { rows: readonly (readonly [label: string, count: number])[] }): JSX.Element {
  const { formats } = useAdmin();
  return (
    <dl class="facts usage-facts">
      {rows.map(
        ([label, count]): ComponentChildren => [
          <dt key={`${label} label`}>{label}</dt>,
          <dd key={label}>{formats.number(count)}</dd>,
        ],
      )}
    </dl>
  );
}

function People(): JSX.Element {
  const { store, words } = useAdmin();
  const people = useLive(
    async (signal) => (await store.session.users.list({ client_gravatar: false }, { signal })).members,
    ['realm_user', 'realm_bot'],
  );
  const seen = useFetched(async () => lastSeenIn(await stateOf(store.session, ['presence'])), []);
  const all = people.value ?? [];
  const active = all.filter(({ is_active, is_bot }) => is_active && !is_bot);
  const now = store.now() / 1000;
  const seenWithin = (days: number) =>
    active.filter(({ user_id }) => (seen.value?.get(user_id) ?? 0) > now - days * DAY_SECONDS).length;
  return (
    <Section title={words.people}>
      <ErrorText action={{ error: people.error ?? seen.error }} />
      {people.value && (
        <Facts
          rows={[
            [words.usagePeople, active.length],
            ...(seen.value
              ? [1, 7, 30].map((days) => [`${words.usageSeen}: ${words.usageSeenIn[days]}`, seenWithin(days)] as const)
              : []),
            ...ROLES.map(
              (role) => [words.roleNames[role] ?? '', active.filter((each) => each.role === role).length] as const,
            ),
            [
              words.usageBots,
              all.filter(({ is_active, is_bot, is_system_bot }) => is_active && is_bot && !is_system_bot).length,
            ],
            [words.usageDeactivated, all.filter(({ is_active }) => !is_active).length],
          ]}
        />
      )}
    </Section>
  );
}

function Channels(): JSX.Element {
  const { store, words } = useAdmin();
  const found = useLive(
    async () => (await store.session.channels.list({ include_all: true, exclude_archived: false })).streams,
    ['stream'],
  );
  const all = found.value ?? [];
  const open = all.filter(({ is_archived }) => !is_archived);
  const kinds = words.usageChannelKinds;
  const largest = [...open].sort((a, b) => b.subscriber_count - a.subscriber_count).slice(0, LARGEST);
  return (
    <>
      <Section title={words.usageChannels}>
        <ErrorText action={found} />
        {found.value && (
          <Facts
            rows={[
              [kinds.public, open.filter(({ invite_only }) => !invite_only).length],
              [kinds.private, open.filter(({ invite_only }) => invite_only).length],
              [kinds.quiet, open.filter(({ is_recently_active }) => !is_recently_active).length],
              [kinds.archived, all.length - open.length],
            ]}
          />
        )}
      </Section>
      {largest.length > 0 && (
        <Section title={words.usageSubscribers}>
          <List label={words.usageSubscribers} items={largest} empty="">
            {({ stream_id, name, subscriber_count }) => (
              <Line
                key={stream_id}
                name={`#${name}`}
                to={`channels/${stream_id}`}
                details={[words.subscriberCount(subscriber_count)]}
              />
            )}
          </List>
        </Section>
      )}
    </>
  );
}
