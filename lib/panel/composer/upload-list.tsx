/** Files on their way, and those that failed. */

import type { VNode } from 'preact';
import { IconButton } from '../buttons.tsx';
import { addStyles } from '../style-sheets.ts';
import { useOverlay } from '../words/overlay-words.ts';
import { keepFocus } from './text.ts';
import styles from './upload-list.css';
import type { Upload, Uploads } from './uploads.ts';

addStyles(styles);

export function UploadList({ uploads }: { uploads: Uploads }): VNode {
  const { words } = useOverlay();
  return (
    <ul class="uploads" part="uploads" aria-label={words.uploads}>
      {uploads.list.map((upload) => (
        <li key={upload.id} class={`upload ${upload.state}`}>
          <UploadState upload={upload} />
          {upload.state === 'failed' && upload.mayRetry && (
            <button
              type="button"
              class="button"
              aria-label={words.uploadRetry(upload.name)}
              onPointerDown={keepFocus}
              onClick={() => uploads.retry(upload.id)}
            >
              {words.retry}
            </button>
          )}
          <IconButton
            icon="close"
            label={(upload.state === 'failed' ? words.uploadRemove : words.uploadCancel)(upload.name)}
            onPointerDown={keepFocus}
            onClick={() => uploads.remove(upload.id)}
          />
        </li>
      ))}
    </ul>
  );
}

function UploadState({ upload: { name, state, error, sent, size } }: { upload: Upload }): VNode {
  const { words } = useOverlay();
  if (state === 'failed') return <span class="upload-name error-text">{error}</span>;
  return (
    <>
      <span class="upload-name">{name}</span>
      <progress
        aria-label={words.uploadProgress(name)}
        max={Math.max(1, size)}
        {...(state === 'sending' && sent > 0 && { value: sent })}
      />
    </>
  );
}
