import type { RenderData } from '../../../lib/markdown/data.ts';
import type { Case } from './case.ts';

const UPLOADS: RenderData = {
  uploads: new Map([
    [
      '1/cd',
      {
        dimensions: { width: 800, height: 600 },
        content_type: 'image/png',
        thumbnail: '/user_uploads/thumbnail/1/cd/y.png/840x560.webp',
      },
    ],
    ['1/ef', { dimensions: { width: 80, height: 60 }, content_type: 'image/heic' }],
  ]),
};

export const PREVIEWS_CASES: readonly Case[] = [
  {
    name: 'an image',
    input: 'look https://a.example/x.png',
    html: '<p>look <a href="https://a.example/x.png">https://a.example/x.png</a></p>\n<div class="message_inline_image"><a href="https://a.example/x.png"><img src="https://a.example/x.png"></a></div>',
  },
  {
    name: 'an image alone',
    input: 'https://a.example/x.png',
    html: '<div class="message_inline_image"><a href="https://a.example/x.png"><img src="https://a.example/x.png"></a></div>',
  },
  {
    name: 'an image by name',
    input: '[cat](https://a.example/x.jpg)',
    html: '<p><a href="https://a.example/x.jpg">cat</a></p>\n<div class="message_inline_image"><a href="https://a.example/x.jpg" title="cat"><img src="https://a.example/x.jpg"></a></div>',
  },
  {
    name: 'an image with a query',
    input: 'https://a.example/x.gif?size=2',
    html: '<div class="message_inline_image"><a href="https://a.example/x.gif?size=2"><img src="https://a.example/x.gif?size=2"></a></div>',
  },
  {
    name: 'an image in a quote has no preview',
    input: '> https://a.example/x.png',
    html: '<blockquote>\n<p><a href="https://a.example/x.png">https://a.example/x.png</a></p>\n</blockquote>',
  },
  {
    name: 'an image in a list',
    input: '* see https://a.example/x.png\n* b',
    html: '<ul>\n<li>see <a href="https://a.example/x.png">https://a.example/x.png</a><div class="message_inline_image"><a href="https://a.example/x.png"><img src="https://a.example/x.png"></a></div></li>\n<li>b</li>\n</ul>',
  },
  {
    name: 'an image alone in a list item',
    input: '* https://a.example/x.png',
    html: '<ul>\n<li><div class="message_inline_image"><a href="https://a.example/x.png"><img src="https://a.example/x.png"></a></div></li>\n</ul>',
  },
  {
    name: 'an image at the end of strong',
    input: '**a https://a.example/x.png b**\n\nlast',
    html: '<p><strong>a <a href="https://a.example/x.png">https://a.example/x.png</a> b</strong></p>\n<p>last</p>\n<div class="message_inline_image"><a href="https://a.example/x.png"><img src="https://a.example/x.png"></a></div>',
  },
  {
    name: 'the same image twice',
    input: 'https://a.example/x.png and https://a.example/x.png',
    html: '<p><a href="https://a.example/x.png">https://a.example/x.png</a> and <a href="https://a.example/x.png">https://a.example/x.png</a></p>\n<div class="message_inline_image"><a href="https://a.example/x.png"><img src="https://a.example/x.png"></a></div>',
  },
  {
    name: 'two',
    input: 'https://a.example/1.png https://a.example/2.png',
    html: '<p><a href="https://a.example/1.png">https://a.example/1.png</a> <a href="https://a.example/2.png">https://a.example/2.png</a></p>\n<div class="message_inline_image"><a href="https://a.example/1.png"><img src="https://a.example/1.png"></a></div><div class="message_inline_image"><a href="https://a.example/2.png"><img src="https://a.example/2.png"></a></div>',
  },
  {
    name: 'an image between paragraphs',
    input: 'a\n\nhttps://a.example/x.png\n\nb',
    html: '<p>a</p>\n<div class="message_inline_image"><a href="https://a.example/x.png"><img src="https://a.example/x.png"></a></div><p>b</p>',
  },
  {
    name: 'an image in a heading',
    input: '# https://a.example/x.png\ntext',
    html: '<h1><a href="https://a.example/x.png">https://a.example/x.png</a></h1>\n<p>text</p>\n<div class="message_inline_image"><a href="https://a.example/x.png"><img src="https://a.example/x.png"></a></div>',
  },
  {
    name: 'an image in a table',
    input: '| https://a.example/x.png |\n|---|\n| a |',
    html: '<table>\n<thead>\n<tr>\n<th><a href="https://a.example/x.png">https://a.example/x.png</a></th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>a</td>\n</tr>\n</tbody>\n</table>\n<div class="message_inline_image"><a href="https://a.example/x.png"><img src="https://a.example/x.png"></a></div>',
  },
  {
    name: 'an upload',
    input: '[x.png](/user_uploads/1/ab/x.png)',
    html: '<p><a href="/user_uploads/1/ab/x.png">x.png</a></p>\n<div class="message_inline_image"><a href="/user_uploads/1/ab/x.png" title="x.png"><img src="/user_uploads/1/ab/x.png"></a></div>',
  },
  {
    name: 'an upload with a thumbnail',
    input: '[x.png](/user_uploads/1/cd/y.png)',
    data: UPLOADS,
    html: '<p><a href="/user_uploads/1/cd/y.png">x.png</a></p>\n<div class="message_inline_image"><a href="/user_uploads/1/cd/y.png" title="x.png"><img data-original-content-type="image/png" data-original-dimensions="800x600" src="/user_uploads/thumbnail/1/cd/y.png/840x560.webp"></a></div>',
  },
  {
    name: 'an upload without a thumbnail yet',
    input: '[x.png](/user_uploads/1/ef/z.heic)',
    data: UPLOADS,
    html: '<p><a href="/user_uploads/1/ef/z.heic">x.png</a></p>\n<div class="message_inline_image"><a href="/user_uploads/1/ef/z.heic" title="x.png"><img class="image-loading-placeholder" data-original-content-type="image/heic" data-original-dimensions="80x60" src="/static/images/loading/loader-black.svg"></a></div>',
  },
  {
    name: 'an upload that is not an image',
    input: '[x.png](/user_uploads/1/ab/x.png)',
    data: UPLOADS,
    html: '<p><a href="/user_uploads/1/ab/x.png">x.png</a></p>',
  },
  {
    name: 'an upload of another type',
    input: '[x.pdf](/user_uploads/1/ab/x.pdf)',
    html: '<p><a href="/user_uploads/1/ab/x.pdf">x.pdf</a></p>',
  },
  {
    name: 'a video',
    input: 'https://a.example/x.mp4',
    html: '<div class="message_inline_image message_inline_video"><a href="https://a.example/x.mp4"><video preload="metadata" src="https://a.example/x.mp4"></video></a></div>',
  },
  {
    name: 'a video by name',
    input: '[film](/user_uploads/1/ab/x.webm)',
    html: '<p><a href="/user_uploads/1/ab/x.webm">film</a></p>\n<div class="message_inline_image message_inline_video"><a href="/user_uploads/1/ab/x.webm" title="film"><video preload="metadata" src="/user_uploads/1/ab/x.webm"></video></a></div>',
  },
  {
    name: 'sound',
    input: '![song](/user_uploads/1/ab/x.mp3)',
    html: '<p><audio controls preload="metadata" src="/user_uploads/1/ab/x.mp3" title="song"></audio></p>',
  },
  {
    name: 'youtube',
    input: 'https://www.youtube.com/watch?v=abcDEF_-123',
    html: '<p><a href="https://www.youtube.com/watch?v=abcDEF_-123">https://www.youtube.com/watch?v=abcDEF_-123</a></p>\n<div class="youtube-video message_inline_image"><a data-id="abcDEF_-123" href="https://www.youtube.com/watch?v=abcDEF_-123"><img src="https://i.ytimg.com/vi/abcDEF_-123/default.jpg"></a></div>',
  },
  {
    name: 'a short YouTube link',
    input: 'https://youtu.be/abcDEF_-123',
    html: '<p><a href="https://youtu.be/abcDEF_-123">https://youtu.be/abcDEF_-123</a></p>\n<div class="youtube-video message_inline_image"><a data-id="abcDEF_-123" href="https://youtu.be/abcDEF_-123"><img src="https://i.ytimg.com/vi/abcDEF_-123/default.jpg"></a></div>',
  },
  {
    name: 'a page on GitHub',
    input: 'https://github.com/ada/engine/blob/main/plan.png',
    html: '<div class="message_inline_image"><a href="https://github.com/ada/engine/blob/main/plan.png"><img src="https://raw.githubusercontent.com/ada/engine/main/plan.png"></a></div>',
  },
  {
    name: 'previews are turned off',
    input: 'https://a.example/x.png',
    data: { options: { inlineImagePreview: false } },
    html: '<p><a href="https://a.example/x.png">https://a.example/x.png</a></p>',
  },
  {
    name: 'an unsafe image',
    input: 'https://a.example/"onerror=x.png',
    html: '<p>https://a.example/"onerror=x.png</p>',
  },
  {
    name: 'a path that ends like an image',
    input: '/x.png',
    html: '<p>/x.png</p>',
  },
  {
    name: 'an image in a spoiler',
    input: '```spoiler s\nhttps://a.example/x.png\n```',
    html: '<div class="spoiler-block"><div class="spoiler-header">\n<p>s</p>\n</div><div class="spoiler-content" aria-hidden="true">\n<div class="message_inline_image"><a href="https://a.example/x.png"><img src="https://a.example/x.png"></a></div></div></div>',
  },
  {
    name: 'too many images',
    input:
      'https://a.example/0.png https://a.example/1.png https://a.example/2.png https://a.example/3.png https://a.example/4.png https://a.example/5.png https://a.example/6.png https://a.example/7.png https://a.example/8.png https://a.example/9.png https://a.example/10.png https://a.example/11.png https://a.example/12.png https://a.example/13.png https://a.example/14.png https://a.example/15.png https://a.example/16.png https://a.example/17.png https://a.example/18.png https://a.example/19.png https://a.example/20.png https://a.example/21.png https://a.example/22.png https://a.example/23.png https://a.example/24.png',
    html: '<p><a href="https://a.example/0.png">https://a.example/0.png</a> <a href="https://a.example/1.png">https://a.example/1.png</a> <a href="https://a.example/2.png">https://a.example/2.png</a> <a href="https://a.example/3.png">https://a.example/3.png</a> <a href="https://a.example/4.png">https://a.example/4.png</a> <a href="https://a.example/5.png">https://a.example/5.png</a> <a href="https://a.example/6.png">https://a.example/6.png</a> <a href="https://a.example/7.png">https://a.example/7.png</a> <a href="https://a.example/8.png">https://a.example/8.png</a> <a href="https://a.example/9.png">https://a.example/9.png</a> <a href="https://a.example/10.png">https://a.example/10.png</a> <a href="https://a.example/11.png">https://a.example/11.png</a> <a href="https://a.example/12.png">https://a.example/12.png</a> <a href="https://a.example/13.png">https://a.example/13.png</a> <a href="https://a.example/14.png">https://a.example/14.png</a> <a href="https://a.example/15.png">https://a.example/15.png</a> <a href="https://a.example/16.png">https://a.example/16.png</a> <a href="https://a.example/17.png">https://a.example/17.png</a> <a href="https://a.example/18.png">https://a.example/18.png</a> <a href="https://a.example/19.png">https://a.example/19.png</a> <a href="https://a.example/20.png">https://a.example/20.png</a> <a href="https://a.example/21.png">https://a.example/21.png</a> <a href="https://a.example/22.png">https://a.example/22.png</a> <a href="https://a.example/23.png">https://a.example/23.png</a> <a href="https://a.example/24.png">https://a.example/24.png</a></p>',
  },
];
