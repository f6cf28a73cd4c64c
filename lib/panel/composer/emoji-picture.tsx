import type { VNode } from 'preact';
import { emojiCharacter } from '../content/media.ts';
import { usePanel } from '../context.ts';

interface EmojiPictureProps {
  readonly emoji_name: string;
  readonly emoji_code?: string;
  readonly reaction_type?: string;
  readonly character?: string;
  /** Of a custom emoji. */
  readonly url?: string;
}

/** An emoji as a character, or the image of a custom one. Images of other sites are not loaded. */
export function EmojiPicture({ emoji_name, emoji_code, reaction_type, character, url }: EmojiPictureProps): VNode {
  const { site } = usePanel();
  const isUnicode = url === undefined && reaction_type !== 'realm_emoji' && reaction_type !== 'zulip_extra_emoji';
  const shown = (isUnicode && emoji_code !== undefined && emojiCharacter(emoji_code)) || character;
  if (shown) return <span class="emoji">{shown}</span>;
  const address = url !== undefined && URL.canParse(url, site) ? new URL(url, site) : undefined;
  if (address?.origin !== new URL(site).origin) return <span>{`:${emoji_name}:`}</span>;
  return <img class="emoji" src={address.href} alt={emoji_name} width={20} height={20} loading="lazy" />;
}
