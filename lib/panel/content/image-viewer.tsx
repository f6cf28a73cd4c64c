/** An image of a message at the size of the window, and the other images of the list. */

import type { RefObject, TargetedKeyboardEvent, VNode } from 'preact';
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
  const { words } = useViewer();
  const dialog = useModal(link);
  const [{ images, at: first }] = useState(() => imagesAround(link));
  const [at, setAt] = useState(first);
  const zoom = useZoom();
  const image = images[at];
  if (!image) return null;
  const show = (index: number) => {
    if (index < 0 || index >= images.length) return;
    setAt(index);
    zoom.reset();
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const forward = getComputedStyle(event.currentTarget).direction === 'rtl' ? -1 : 1;
    const step = { ArrowRight: at + forward, ArrowLeft: at - forward, Home: 0, End: images.length - 1 }[event.key];
    const factor = { '+': zoom.factor * ZOOM_STEP, '-': zoom.factor / ZOOM_STEP, '0': 1 }[event.key];
    // An enlarged image is scrolled by arrows.
    if (zoom.factor > 1 && event.key.startsWith('Arrow')) return;
    if (step !== undefined) show(step);
    else if (factor !== undefined) zoom.to(factor);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const name = image.name || words.image;
  return (
    <dialog
      ref={dialog}
      class="image-viewer"
      part="image-viewer"
      aria-label={name}
      onKeyDown={onKeyDown}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <Header
        image={image}
        position={images.length > 1 ? words.imageOf(at + 1, images.length) : ''}
        zoom={zoom}
        onClose={onClose}
      />
      <div
        class="image-frame"
        // The keyboard scrolls it.
        {...({ role: 'group', tabIndex: 0, 'aria-label': name } as const)}
        // Beside the image.
        onPointerDown={({ target, currentTarget }) => zoom.factor === 1 && target === currentTarget && onClose()}
      >
        <Picture key={at} image={image} zoom={zoom} />
      </div>
      {images.length > 1 && <Steps at={at} last={images.length - 1} show={show} />}
    </dialog>
  );
}

/** Opens the dialog. The link has the focus again afterwards. */
function useModal(link: HTMLElement): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    dialog.current?.showModal();
    return () => {
      dialog.current?.close();
      link.focus({ preventScroll: true });
    };
  }, []);
  return dialog;
}

interface Zoom {
  readonly factor: number;
  /** Pixels of the enlarged image. */
  readonly width: number;
  readonly picture: RefObject<HTMLImageElement | null>;
  to(factor: number): void;
  reset(): void;
}

function useZoom(): Zoom {
  const picture = useRef<HTMLImageElement>(null);
  const [state, setState] = useState({ factor: 1, width: 0 });
  return {
    ...state,
    picture,
    to: (wanted) => {
      const factor = Math.min(MAX_ZOOM, Math.max(1, wanted));
      setState({ factor, width: ((picture.current?.clientWidth ?? 0) / state.factor) * factor });
    },
    reset: () => setState({ factor: 1, width: 0 }),
  };
}

interface PictureProps {
  image: Shown;
  zoom: Zoom;
}

interface HeaderProps extends PictureProps {
  /** Of this image among all. */
  position: string;
  onClose(): void;
}

function Header({ image, position, zoom, onClose }: HeaderProps): VNode {
  const { words } = useViewer();
  return (
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
        disabled={zoom.factor === 1}
        onClick={() => zoom.to(zoom.factor / ZOOM_STEP)}
      />
      <IconButton
        icon="zoom-in"
        label={words.zoomIn}
        disabled={zoom.factor === MAX_ZOOM}
        onClick={() => zoom.to(zoom.factor * ZOOM_STEP)}
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
  );
}

function Picture({ image: { address, name }, zoom }: PictureProps): VNode {
  const { store, words, site } = useViewer();
  const [hasFailed, setFailed] = useState(false);
  if (hasFailed) return <p role="alert">{words.imageFailed}</p>;
  return (
    <img
      ref={zoom.picture}
      class={zoom.factor === 1 ? undefined : 'enlarged'}
      src={address}
      alt={name}
      data-source={address}
      style={{ inlineSize: zoom.factor === 1 ? '' : `${zoom.width}px` }}
      onDblClick={() => zoom.to(zoom.factor === 1 ? 2 : 1)}
      onError={async ({ currentTarget }) => {
        // In a page of another site, the image needs a temporary address.
        const { renewedAt } = currentTarget.dataset;
        if (renewedAt !== undefined) return setFailed(true);
        const files = await import('./uploaded-files.ts').catch(() => undefined);
        await files?.loadAgain(currentTarget, store.session, site);
        if (currentTarget.dataset.renewedAt === undefined) setFailed(true);
      }}
    />
  );
}

function Steps({ at, last, show }: { at: number; last: number; show(index: number): void }): VNode {
  const { words } = useViewer();
  return (
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
        disabled={at === last}
        onClick={() => show(at + 1)}
      />
    </>
  );
}
