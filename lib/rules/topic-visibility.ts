/** 0: as the channel; 1: muted; 2: unmuted, where the channel is muted; 3: followed. */
export type VisibilityPolicy = 0 | 1 | 2 | 3;

export const INHERIT = 0;
export const MUTED = 1;
export const UNMUTED = 2;
export const FOLLOWED = 3;

/**
 * What somebody did in a topic. A first message is a message too, and sending takes part; where a message of
 * theirs is moved so that a topic begins with it, they did nothing else.
 */
export type Participation = 'starts' | 'begins' | 'sends' | 'takes part';

/** When a personal setting changes the policy: 1 when taking part, 2 when sending, 3 when starting a topic, 4 never. */
export type AutomaticPolicy = 1 | 2 | 3 | 4;

/** Personal settings until something else is stored: what one starts is followed, where one writes is unmuted. */
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
 * The policy that somebody's participation gives a topic by their settings; undefined where it stays as it
 * is. It never shows less than before.
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

/** Of two topics that become one: whichever shows more. */
export function mergedPolicy(one: VisibilityPolicy, other: VisibilityPolicy): VisibilityPolicy {
  return (
    ([FOLLOWED, UNMUTED, INHERIT].find((policy) => policy === one || policy === other) as VisibilityPolicy) ?? MUTED
  );
}
