/** The texts of the image viewer, in English. */
import { withWords } from '../context.ts';

export const VIEWER_WORDS = {
  image: 'Image',
  imageOf: (position: number, count: number) => `${position} of ${count}`,
  previousImage: 'Previous image',
  nextImage: 'Next image',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  openOriginal: 'Open in a new tab',
  imageFailed: 'The image could not be loaded.',
};

export const useViewer = withWords(VIEWER_WORDS);
