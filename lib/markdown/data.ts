/** What a message may refer to, as far as it exists and its sender may refer to it. */
export interface RenderData {
  users?: readonly MentionableUser[];
  groups?: readonly MentionableGroup[];
  channels?: readonly LinkableChannel[];
  /** Newest message the sender may read in the topics linked to. */
  topics?: readonly { channel_id: number; topic: string; latest_message_id: number }[];
  /** Active custom emoji: name to image address. */
  customEmoji?: ReadonlyMap<string, string>;
  /** In the order in which they are tried. */
  linkifiers?: readonly Linkifier[];
  /** Uploaded images by `uploadKey`. Absent: the ending of a path tells an image. */
  uploads?: ReadonlyMap<string, UploadedImage>;
  options?: RenderOptions;
}

export interface MentionableUser {
  id: number;
  full_name: string;
  is_active: boolean;
}

export interface MentionableGroup {
  id: number;
  name: string;
  deactivated: boolean;
  /** Shown instead of the name: "Nobody" for `role:nobody`. */
  label?: string;
}

export interface LinkableChannel {
  id: number;
  name: string;
}

export interface Linkifier {
  /** RE2 syntax, groups named `(?P<id>…)`. */
  pattern: string;
  /** RFC 6570. */
  url_template: string;
}

export interface UploadedImage {
  /** In pixels; absent where nobody could tell. */
  dimensions?: { width: number; height: number };
  /** Its thumbnail moves. */
  isAnimated?: boolean;
  content_type: string;
  /** Address of a thumbnail, once there is one. */
  thumbnail?: string;
}

export interface RenderOptions {
  /** Where the organization lives, without a slash at the end: links there become relative. */
  realmUrl?: string;
  translateEmoticons?: boolean;
  /** Default true. */
  inlineImagePreview?: boolean;
  defaultCodeBlockLanguage?: string;
  /** Shown for the empty topic; default `general chat`. */
  emptyTopicName?: string;
  /** The address from which readers load an image, video or sound that lies elsewhere. */
  externalMediaUrl?: (url: string) => string;
}

/** What has to be looked up before a message can be rendered. More than will be used: code is not left out. */
export interface References {
  users: { name?: string; id?: number }[];
  groups: string[];
  channels: string[];
  topics: { channel: string; topic: string }[];
  wildcards: { channel: boolean; topic: boolean };
  /** Files by `uploadKey`. */
  uploads: string[];
  /** Names between colons; a custom emoji may have the name of a Unicode one. */
  customEmoji: string[];
}

export interface RenderedMessage {
  html: string;
  /** People mentioned by name, not silently; ascending. */
  mentionedUsers: number[];
  /** Groups mentioned, not silently; ascending. */
  mentionedGroups: number[];
  /** Who is mentioned at once: everybody in the channel, everybody in the topic. */
  wildcards: { channel: boolean; topic: boolean };
  /** Addresses linked to, with the text of the link, in order. */
  links: { url: string; text: string }[];
  hasImage: boolean;
  /** Paths after `/user_uploads/`, each once. */
  attachmentPaths: string[];
  /** Begins with `/me `: shown as what the sender does. */
  isMe: boolean;
}
