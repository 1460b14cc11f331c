//! Declares what a crate can say.

use crate::Said;

/// A variant of a message: its identity and the names of its arguments.
pub type Variant = (&'static str, &'static [&'static str]);

/// What [`messages!`](crate::messages) makes of an enum.
pub trait Message {
    /// All that it can be.
    const VARIANTS: &'static [Variant];

    /// It as its identity with arguments.
    fn said(&self) -> Said;
}

/// One that came as data, with whatever identity it has: in a transparent variant it stands for itself.
impl Message for Said {
    const VARIANTS: &'static [Variant] = &[];

    fn said(&self) -> Said {
        self.clone()
    }
}

/// Declares messages: enums whose variants have named arguments, or one argument that is another message, which then
/// stands for the variant. `in` names the crate.
///
/// Each enum gets [`Message`], `Display` in English, and `From` itself for [`Said`]; a test of the calling module, called
/// `words_of_messages`, fails for a variant that lacks words in a language, or has words of other arguments.
#[macro_export]
macro_rules! messages {
    (in $crate_name:literal; $(
        $(#[$attr:meta])*
        $vis:vis enum $name:ident {
            $(
                $(#[$variant_attr:meta])*
                $variant:ident
                $({ $( $(#[$field_attr:meta])* $field:ident : $type:ty ),* $(,)? })?
                $(( $(#[$inner_attr:meta])* $inner:ty ))?
            ),* $(,)?
        }
    )+) => {
        $(
            $(#[$attr])*
            $vis enum $name {
                $(
                    $(#[$variant_attr])*
                    $variant $({ $( $(#[$field_attr])* $field: $type ),* })? $(( $(#[$inner_attr])* $inner ))?
                ),*
            }

            impl $crate::Message for $name {
                const VARIANTS: &'static [$crate::Variant] = &[
                    $( $crate::messages!(@variant $crate_name, $name, $variant $({ $($field),* })? $(( $inner ))?) ),*
                ];

                fn said(&self) -> $crate::Said {
                    match self {
                        $( $crate::messages!(@pattern $variant, inner $({ $($field),* })? $(( $inner ))?) =>
                            $crate::messages!(@said $crate_name, $name, $variant, inner $({ $($field),* })? $(( $inner ))?) ),*
                    }
                }
            }

            impl ::std::fmt::Display for $name {
                fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                    ::std::fmt::Display::fmt(&$crate::Message::said(self), f)
                }
            }

            impl From<$name> for $crate::Said {
                fn from(message: $name) -> Self {
                    $crate::Message::said(&message)
                }
            }
        )+

        #[cfg(test)]
        mod words_of_messages {
            #[test]
            fn every_variant_has_words_in_every_language() {
                let all = [$( <super::$name as $crate::Message>::VARIANTS ),+].concat();
                assert_eq!($crate::shortcomings(&all), [""; 0]);
            }
        }
    };
    (@variant $crate_name:literal, $name:ident, $variant:ident ( $inner:ty )) => { ("", &[]) };
    (@variant $crate_name:literal, $name:ident, $variant:ident $({ $($field:ident),* })?) => {
        (
            concat!($crate_name, ".", stringify!($name), ".", stringify!($variant)),
            &[ $( $( stringify!($field) ),* )? ],
        )
    };
    (@pattern $variant:ident, $binding:ident ( $inner:ty )) => { Self::$variant($binding) };
    (@pattern $variant:ident, $binding:ident $({ $($field:ident),* })?) => { Self::$variant $({ $($field),* })? };
    (@said $crate_name:literal, $name:ident, $variant:ident, $binding:ident ( $inner:ty )) => {
        $crate::Message::said($binding)
    };
    (@said $crate_name:literal, $name:ident, $variant:ident, $binding:ident $({ $($field:ident),* })?) => {
        $crate::Said::new(
            concat!($crate_name, ".", stringify!($name), ".", stringify!($variant)),
            [ $( $( (stringify!($field), $crate::AsArg::as_arg($field)) ),* )? ],
        )
    };
}
