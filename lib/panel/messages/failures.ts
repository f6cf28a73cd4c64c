import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** Shows an error of an action above the composer, and says it. */
export const FailureContext = createContext<(error: unknown) => void>(() => undefined);

export const useFailures = () => useContext(FailureContext);
