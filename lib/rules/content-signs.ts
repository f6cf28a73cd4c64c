/**
 * By what the HTML of a message shows that it has something; one of the signs is enough. What people
 * write cannot look like it, since their angle brackets are escaped.
 */
export const CONTENT_SIGNS: Readonly<Record<'link' | 'image' | 'attachment', readonly string[]>> = {
  link: ['<a href="'],
  image: ['<div class="message_inline_image">', '<div class="youtube-video message_inline_image">'],
  attachment: ['="/user_uploads/'],
};
