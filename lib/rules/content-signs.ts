/**
 * HTML fragments that show that a message contains a link, image or attachment. One fragment is enough. Users cannot
 * fake them, because angle brackets in messages are escaped.
 */
export const CONTENT_SIGNS: Readonly<Record<'link' | 'image' | 'attachment', readonly string[]>> = {
  link: ['<a href="'],
  image: ['<div class="message_inline_image">', '<div class="youtube-video message_inline_image">'],
  attachment: ['="/user_uploads/'],
};
