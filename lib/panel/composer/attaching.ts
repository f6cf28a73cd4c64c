/** Files and texts that the user chooses, pastes or drops. */
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import { useTools } from '../words/tools-words.ts';
import { type EditedText, offersFiles, typeText } from './text.ts';
import { uploadsOf } from './uploads.ts';

/** A text this many times as long as a message may be is not put into the field: browsers hang with some megabytes. */
const MAX_TIMES_TOO_LONG = 4;

interface AttachingOptions {
  field: RefObject<HTMLTextAreaElement | null>;
  text: EditedText;
  /** Characters of a message. */
  limit: number;
}

export function useAttaching({ field, text, limit }: AttachingOptions) {
  const panel = useTools();
  const [, render] = useReducer((count: number) => count + 1, 0);
  /** A text that is too long for the field. */
  const [held, setHeld] = useState<string>();
  const uploads = useMemo(() => uploadsOf(text, panel), [text]);
  useEffect(() => uploads.listen(() => render(0)), [uploads]);
  const attach = (added: readonly File[]) => {
    const area = field.current;
    if (!area || added.length === 0) return;
    const placeholders = uploads.add(added);
    if (placeholders === '') return;
    const { selectionStart: start, selectionEnd: end, value } = area;
    typeText(area, start, end, `${/\S$/.test(value.slice(0, start)) ? '\n' : ''}${placeholders}\n`);
  };
  /** Keeps a text beside the field if it is too long for it. Returns whether it did. */
  const hold = (added: string): boolean => {
    const isTooLong = (field.current?.value.length ?? 0) + added.length > MAX_TIMES_TOO_LONG * limit;
    if (isTooLong) setHeld(added);
    return isTooLong;
  };
  /** True if the browser need not insert it. */
  const take = (data: DataTransfer): boolean => {
    if (!offersFiles(data)) return hold(data.getData('text/plain'));
    attach([...data.files]);
    return true;
  };
  const latest = useRef({ attach, hold });
  latest.current = { attach, hold };
  useLayoutEffect(() => {
    // The whole conversation takes files, and a message that is edited takes its own.
    const around = (names: string) => field.current?.closest<HTMLElement>(names);
    const box = around('.composer-box');
    const zone = around('article, .conversation') ?? box;
    if (!zone || !box) return;
    const setIsDropping = (isDropping: boolean) => box.classList.toggle('dropping', isDropping);
    return dropZone(zone, {
      setIsDropping,
      attach: (files) => latest.current.attach(files),
      hold: (dropped) => latest.current.hold(dropped),
    });
  }, [field]);
  return { attach, take, uploads, held, release: () => setHeld(undefined) };
}

interface DropOptions {
  attach(files: readonly File[]): void;
  hold(text: string): boolean;
  setIsDropping(isDropping: boolean): void;
}

/** @returns ends it */
function dropZone(zone: HTMLElement, { attach, hold, setIsDropping }: DropOptions): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const listen = (type: 'dragover' | 'dragleave' | 'drop', run: (event: DragEvent) => void) =>
    zone.addEventListener(type, (event) => event.defaultPrevented || run(event), { signal });
  listen('dragover', (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    setIsDropping(true);
  });
  listen('dragleave', ({ relatedTarget }) => {
    if (!zone.contains(relatedTarget as Node | null)) setIsDropping(false);
  });
  listen('drop', (event) => {
    setIsDropping(false);
    const data = event.dataTransfer;
    const files = [...(data?.files ?? [])];
    const isText = files.length === 0 && event.target instanceof HTMLTextAreaElement;
    if (isText && data && hold(data.getData('text/plain'))) event.preventDefault();
    if (files.length === 0) return;
    event.preventDefault();
    attach(files);
  });
  return () => {
    setIsDropping(false);
    ending.abort();
  };
}
