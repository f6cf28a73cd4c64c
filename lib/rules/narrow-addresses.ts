/** URLs of conversations in a client, with `#narrow`. */

export function channelAddress(id: number, name: string): string {
  return `/#narrow/channel/${id}-${hashComponent(name.replaceAll(' ', '-'))}`;
}

export function topicAddress(id: number, name: string, topic: string): string {
  return `${channelAddress(id, name)}/topic/${hashComponent(topic)}`;
}

/** URL of the direct conversation with these users. The reader may be included. */
export function directAddress(userIds: readonly number[]): string {
  return `/#narrow/dm/${userIds.join(',')}`;
}

/** Percent encoding with dots for percent signs. */
function hashComponent(text: string): string {
  return encodeURIComponent(text)
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('.', '%2E')
    .replaceAll('%', '.');
}
