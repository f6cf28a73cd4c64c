/** An image of a message at the size of the window, and the other images of the list. */

import type { TargetedKeyboardEvent, VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { IconButton } from '../buttons.tsx';
import { addIcons, Icon } from '../icons.tsx';
import { addStyles } from '../style-sheets.ts';
import { useViewer } from '../words/viewer-words.ts';
import styles from './image-viewer.css';
import { VIEWER_ICONS } from './viewer-icons.ts';

addStyles(styles);
addIcons(VIEWER_ICONS);

const ZOOM_STEP = 1.5;
const MAX_ZOOM = 8;

export interface ImageViewerProps {
  /** Around the image. It has the focus again afterwards. */
  link: HTMLAnchorElement;
  onClose(): void;
}

interface Shown {
  readonly address: string;
  readonly name: string;
  /** Sender and time. */
  readonly source: string;
}

const LINKS = '.rendered_markdown a[href]:has(img[data-source])';

/** All images of the list, as they are when the viewer opens. */
function imagesAround(link: HTMLAnchorElement): { images: readonly Shown[]; at: number } {
  const list = link.closest('.list') ?? link.closest('.rendered_markdown');
  const links = [...(list?.querySelectorAll<HTMLAnchorElement>(LINKS) ?? [link])];
  const images = links.map((each) => ({
    address: each.href,
    name: each.querySelector('img')?.alt ?? '',
    source: each.closest('article')?.getAttribute('aria-label') ?? '',
  }));
  return { images, at: Math.max(0, links.indexOf(link)) };
}

export function ImageViewer({ link, onClose }: ImageViewerProps): VNode | null {
  const { store, words, site } = useViewer();
  const dialog = useRef<HTMLDialogElement>(null);
  const [{ images, at: first }] = useState(() => imagesAround(link));
  const [at, setAt] = useState(first);
  const [{ zoom, width }, setZoom] = useState({ zoom: 1, width: 0 });
  const picture = useRef<HTMLImageElement>(null);
  const [hasFailed, setFailed] = useState(false);
  useLayoutEffect(() => {
    dialog.current?.showModal();
    return () => {
      dialog.current?.close();
      link.focus({ preventScroll: true });
    };
  }, []);
  const image = images[at];
  if (!image) return null;
  const show = (index: number) => {
    if (index < 0 || index >= images.length) return;
    setAt(index);
    setZoom({ zoom: 1, width: 0 });
    setFailed(false);
  };
  const zoomTo = (factor: number) => {
    const next = Math.min(MAX_ZOOM, Math.max(1, factor));
    setZoom({ zoom: next, width: ((picture.current?.clientWidth ?? 0) / zoom) * next });
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const forward = getComputedStyle(event.currentTarget).direction === 'rtl' ? -1 : 1;
    const actions: Readonly<Record<string, () => void>> = {
      ArrowRight: () => show(at + forward),
      ArrowLeft: () => show(at - forward),
      Home: () => show(0),
      End: () => show(images.length - 1),
      '+': () => zoomTo(zoom * ZOOM_STEP),
      '-': () => zoomTo(zoom / ZOOM_STEP),
      '0': () => zoomTo(1),
    };
    const action = actions[event.key];
    // An enlarged image is scrolled by arrows.
    if (!action || (zoom > 1 && event.key.startsWith('Arrow'))) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  };
  // The keyboard scrolls it.
  const frame = { role: 'group', tabIndex: 0, 'aria-label': image.name || words.image } as const;
  const position = images.length > 1 ? words.imageOf(at + 1, images.length) : '';
  return (
    <dialog
      ref={dialog}
      class="image-viewer"
      part="image-viewer"
      aria-label={image.name || words.image}
      onKeyDown={onKeyDown}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header>
        <div class="image-title">
          <span dir="auto">{image.name}</span>
          <span class="muted">{image.source}</span>
        </div>
        <span role="status" class="muted">
          {position}
        </span>
        <IconButton
          icon="zoom-out"
          label={words.zoomOut}
          disabled={zoom === 1}
          onClick={() => zoomTo(zoom / ZOOM_STEP)}
        />
        <IconButton
          icon="zoom-in"
          label={words.zoomIn}
          disabled={zoom === MAX_ZOOM}
          onClick={() => zoomTo(zoom * ZOOM_STEP)}
        />
        <a
          class="icon-button"
          href={image.address}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={words.openOriginal}
          title={words.openOriginal}
        >
          <Icon name="open" />
        </a>
        <IconButton icon="close" label={words.close} onClick={onClose} />
      </header>
      <div
        class="image-frame"
        {...frame}
        // Beside the image.
        onPointerDown={({ target, currentTarget }) => zoom === 1 && target === currentTarget && onClose()}
      >
        {hasFailed ? (
          <p role="alert">{words.imageFailed}</p>
        ) : (
          <img
            key={image.address}
            ref={picture}
            class={zoom === 1 ? undefined : 'enlarged'}
            src={image.address}
            alt={image.name}
            data-source={image.address}
            style={{ inlineSize: zoom === 1 ? '' : `${width}px` }}
            onDblClick={() => zoomTo(zoom === 1 ? 2 : 1)}
            onError={async ({ currentTarget }) => {
              // In a page of another site, the image needs a temporary address.
              const { renewedAt } = currentTarget.dataset;
              if (renewedAt !== undefined) return setFailed(true);
              const files = await import('./uploaded-files.ts').catch(() => undefined);
              await files?.loadAgain(currentTarget, store.session, site);
              if (currentTarget.dataset.renewedAt === undefined) setFailed(true);
            }}
          />
        )}
      </div>
      {images.length > 1 && (
        <>
          <IconButton
            icon="back"
            label={words.previousImage}
            data-step="previous"
            disabled={at === 0}
            onClick={() => show(at - 1)}
          />
          <IconButton
            icon="back"
            label={words.nextImage}
            data-step="next"
            disabled={at === images.length - 1}
            onClick={() => show(at + 1)}
          />
        </>
      )}
    </dialog>
  );
}
