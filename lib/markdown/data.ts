import type { Channel } from '../model/channels.ts';
import type { Group } from '../model/groups.ts';
import type { Linkifier as StoredLinkifier } from '../model/organization.ts';
import type { User } from '../model/users.ts';

/** Objects that a message refers to, if they exist and the sender may refer to them. */
export interface RenderData {
  users?: readonly MentionableUser[];
  groups?: readonly MentionableGroup[];
  channels?: readonly Pick<Channel, 'id' | 'name'>[];
  /** Newest message that the sender may read in each linked topic. */
  topics?: readonly { channel_id: number; topic: string; latest_message_id: number }[];
  /** Active custom emoji: name to image address. */
  customEmoji?: ReadonlyMap<string, string>;
  /** In the order in which they are applied. */
  linkifiers?: readonly Linkifier[];
  /** Uploaded images by `uploadKey`. Absent: images are recognized by file extension. */
  uploads?: ReadonlyMap<string, UploadedImage>;
  options?: RenderOptions;
}

export type MentionableUser = Pick<User, 'id' | 'full_name' | 'is_active'>;

export interface MentionableGroup extends Pick<Group, 'id' | 'name' | 'deactivated'> {
  /** Shown instead of the name: "Nobody" for `role:nobody`. */
  label?: string | undefined;
}

export type Linkifier = Omit<StoredLinkifier, 'id'>;

export interface UploadedImage {
  /** In pixels. Absent if unknown. */
  dimensions?: { width: number; height: number };
  isAnimated?: boolean;
  content_type: string;
  /** Address of a thumbnail, once there is one. */
  thumbnail?: string;
}

export interface RenderOptions {
  /** Address of the organization without a trailing slash. Links to it become relative. */
  realmUrl?: string;
  translateEmoticons?: boolean;
  /** Default true. */
  inlineImagePreview?: boolean;
  defaultCodeBlockLanguage?: string;
  /** Shown for the empty topic; default `general chat`. */
  emptyTopicName?: string;
}

/** Objects to look up before rendering. May be more than needed, since it includes text in code. */
export interface References {
  users: { name?: string; id?: number }[];
  groups: string[];
  channels: string[];
  topics: { channel: string; topic: string }[];
  /** Files by `uploadKey`. */
  uploads: string[];
  /** Names between colons; a custom emoji may have the name of a Unicode one. */
  customEmoji: string[];
}

export interface RenderedMessage {
  html: string;
  mentionedUsers: number[];
  mentionedGroups: number[];
  wildcards: { channel: boolean; topic: boolean };
  links: { url: string; text: string }[];
  /** Web addresses of links to pages, each once. Without those in quotes and spoilers. */
  previewable: string[];
  /** Paths after `/user_uploads/`, each once. */
  attachmentPaths: string[];
  isMe: boolean;
}
