/** 0: like the channel; 1: muted; 2: unmuted in a muted channel; 3: followed. */
export type VisibilityPolicy = 0 | 1 | 2 | 3;

export const INHERIT = 0;
export const MUTED = 1;
export const UNMUTED = 2;
export const FOLLOWED = 3;

/**
 * The action of a user in a topic. `starts` includes sending, and `sends` includes taking part. With `begins` the user
 * did nothing: a message of the user was moved and is now the first message of the topic.
 */
export type Participation = 'starts' | 'begins' | 'sends' | 'takes part';

/** When the policy changes automatically: 1 on taking part, 2 on sending, 3 on starting a topic, 4 never. */
export type AutomaticPolicy = 1 | 2 | 3 | 4;

/** Defaults: follow topics that the user starts, unmute topics in which the user sends. */
export const AUTOMATIC_POLICY_DEFAULTS = {
  automatically_follow_topics_policy: 3,
  automatically_unmute_topics_in_muted_streams_policy: 2,
  automatically_follow_topics_where_mentioned: true,
} as const;

const REACHES: Readonly<Record<Participation, readonly AutomaticPolicy[]>> = {
  starts: [1, 2, 3],
  begins: [3],
  sends: [1, 2],
  'takes part': [1],
};

/**
 * The new policy of a topic after a user's participation, by their settings; undefined if it does not change. The new
 * policy never shows less than before.
 */
export function automaticPolicy(
  did: Participation,
  settings: { follow: AutomaticPolicy; unmute: AutomaticPolicy },
  present: { visibility_policy: VisibilityPolicy; is_channel_muted: boolean },
): typeof UNMUTED | typeof FOLLOWED | undefined {
  if (present.visibility_policy === FOLLOWED) return undefined;
  if (REACHES[did].includes(settings.follow)) return FOLLOWED;
  const unmutes = present.is_channel_muted && REACHES[did].includes(settings.unmute);
  return unmutes && present.visibility_policy !== UNMUTED ? UNMUTED : undefined;
}

/** The policy of two merged topics: the policy that shows more. */
export function mergedPolicy(one: VisibilityPolicy, other: VisibilityPolicy): VisibilityPolicy {
  return (
    ([FOLLOWED, UNMUTED, INHERIT].find((policy) => policy === one || policy === other) as VisibilityPolicy) ?? MUTED
  );
}
