"""Where the parts of an encoder-decoder stand: narrow columns for many characters, wide ones for few."""

from __future__ import annotations

from dataclasses import dataclass

#: Widest columns: of few characters none is farther from the next.
SOURCE_PITCH, TARGET_PITCH = 56.0, 88.0


@dataclass(frozen=True)
class Layout:
    """Lengths in CSS pixels; rows from top to bottom: outputs, decoder, context, attention, encoder, source."""

    T: int
    U: int
    wide: bool

    @property
    def width(self) -> float:
        return 1040.0 if self.wide else 340.0

    @property
    def left(self) -> float:
        """Room for the names of the rows."""
        return 70.0 if self.wide else 0.0

    @property
    def source_pitch(self) -> float:
        return min(SOURCE_PITCH, (self.width - self.left) / self.T)

    @property
    def target_pitch(self) -> float:
        return min(TARGET_PITCH, (self.width - self.left) / (self.U + 1))

    @property
    def state_height(self) -> float:
        return 88.0 if self.wide else 78.0

    @property
    def numbered(self) -> bool:
        """Whether scores and weights have room for their numbers."""
        return self.source_pitch >= 32

    @property
    def source_width(self) -> float:
        return min(32.0, self.source_pitch * 0.82)

    @property
    def target_width(self) -> float:
        return min(38.0, self.target_pitch * 0.62)

    # rows: the top of each
    output: float = 32.0
    output_height: float = 34.0
    decoder: float = 104.0

    @property
    def below_decoder(self) -> float:
        return self.decoder + self.state_height

    @property
    def context(self) -> float:
        return self.below_decoder + 34

    @property
    def attention(self) -> float:
        return self.context + 40 + 28

    @property
    def attention_height(self) -> float:
        return 68.0 if self.numbered else 46.0

    @property
    def encoder(self) -> float:
        return self.attention + self.attention_height + 44

    @property
    def source(self) -> float:
        return self.encoder + self.state_height + 24

    @property
    def height(self) -> float:
        return self.source + (46 if self.source_width >= 17 else 54)

    def source_x(self, j: int) -> float:
        """Centre of source position j, 1 … T."""
        room = self.width - self.left
        return self.left + (room - self.T * self.source_pitch) / 2 + (j - 0.5) * self.source_pitch

    def target_x(self, t: int) -> float:
        """Centre of decoder step t, 0 … U; 0 is the state that the encoder hands over."""
        room = self.width - self.left
        return self.left + (room - (self.U + 1) * self.target_pitch) / 2 + (t + 0.5) * self.target_pitch
