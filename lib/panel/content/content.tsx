import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { usePanel } from '../context.ts';
import { contentOf } from './content-of.ts';

/**
 * The content of a message. Its buttons and links work if `listenToContent` was called for an element around it.
 * `isMentioned`: the message mentions the reader, also through a group or everyone.
 */
export function MessageContent({ html, isMentioned = false }: { html: string; isMentioned?: boolean }): VNode {
  const { site, words, formats, store, loadsExternal } = usePanel();
  const element = useRef<HTMLDivElement>(null);
  const me = store.me.get()?.user_id;
  useLayoutEffect(() => {
    element.current?.replaceChildren(contentOf(html, { site, words, formats, me, isMentioned, loadsExternal }));
  }, [html, site, words, formats, me, isMentioned, loadsExternal]);
  return <div ref={element} class="rendered_markdown" dir="auto" />;
}
