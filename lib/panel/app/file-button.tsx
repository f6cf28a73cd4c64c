/** A button to choose a picture from the device. */
import type { ComponentChildren, JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { Button } from '../buttons.tsx';

interface FileButtonProps {
  /** Of the field behind the button. */
  label: string;
  isDisabled?: boolean;
  onChoose(file: File): void;
  children: ComponentChildren;
}

export function FileButton({ label, isDisabled = false, onChoose, children }: FileButtonProps): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        class="visually-hidden"
        type="file"
        accept="image/*"
        tabIndex={-1}
        aria-label={label}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          // The user may choose the same file again.
          currentTarget.value = '';
          if (file) onChoose(file);
        }}
      />
      <Button isDisabled={isDisabled} onClick={() => input.current?.click()}>
        {children}
      </Button>
    </>
  );
}
